package io.redislock.reactor;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redislock.LockLoss;
import io.redislock.LockLostException;
import io.redislock.LockNotAcquiredException;
import io.redislock.LockOptions;
import io.redislock.LockState;
import io.redislock.LockUnavailableException;
import io.redislock.reactor.micrometer.MicrometerLockListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** What the meters show of locks on a real Redis, during and after. */
class LockMetricsTest {

    private static final String NAME = "orders";
    private static final Duration MINUTE = Duration.ofSeconds(60);
    private static final LockOptions OPTIONS = LockOptions.defaults().name(NAME).expiry(MINUTE).retry(0, MINUTE);
    /** Waits, and does not ask again within the test. */
    private static final LockOptions WAITING = OPTIONS.retry(1, MINUTE);
    /** Renewed every 500 ms at the latest. */
    private static final LockOptions RENEWED = OPTIONS.expiry(Duration.ofMillis(1_500)).autoRenew(MINUTE);
    /** Shorter than a pause of the server, longer than the machine may stand still. */
    private static final Duration BRIEF = Duration.ofMillis(200);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder
            .defaults(OPTIONS).listener(new MicrometerLockListener(registry)));
    private final String key = FIXTURE.freshKey();

    @AfterEach
    void everythingThatBeganHasEnded() {
        FIXTURE.server().resume();
        locks.close().block(Await.PATIENCE);
        if (registry.getMeters().isEmpty()) {
            return;
        }
        Await.until("each acquired lock has ended", () -> acquired() == hold("released") + hold("lost"));
        assertThat(held()).isZero();
        assertThat(waiting()).isZero();
        assertThat(registry.find("redislock.losses").counters().stream().mapToDouble(Counter::count).sum())
                .isEqualTo(hold("lost"));
    }

    @Test
    void lockIsHeldDuringTheWorkAndReleasedAfterIt() {
        double during = locks.withLock(key, lock -> Mono.fromSupplier(this::held)).block(Await.PATIENCE);

        assertThat(during).isEqualTo(1);
        assertThat(held()).isZero();
        assertThat(acquired()).isEqualTo(1);
        assertThat(hold("released")).isEqualTo(1);
    }

    @Test
    void timesAreThoseOfTheWaitAndOfTheHold() {
        Duration work = Duration.ofMillis(50);
        locks.withLock(key, lock -> Mono.delay(work)).block(Await.PATIENCE);

        assertThat(timer("redislock.hold", "released").totalTime(TimeUnit.NANOSECONDS))
                .isGreaterThanOrEqualTo(work.toNanos());
        assertThat(timer("redislock.acquire", "acquired").totalTime(TimeUnit.NANOSECONDS)).isPositive();
    }

    @Test
    void workThatFailsOrIsCancelledIsReleasedToo() {
        StepVerifier.create(locks.withLock(key, lock -> Mono.error(new IllegalStateException("failed"))))
                .verifyErrorMessage("failed");
        Disposable working = locks.withLock(key, lock -> Mono.never()).subscribe();
        Await.until("it works", () -> held() == 1);

        working.dispose();

        Await.until("it is released", () -> hold("released") == 2);
        assertThat(held()).isZero();
    }

    @Test
    void busyToTheEndIsNotAcquired() {
        FIXTURE.put(key, "another", MINUTE);

        StepVerifier.create(locks.acquire(key)).expectComplete().verify(Await.PATIENCE);
        StepVerifier.create(locks.withLock(key, lock -> Mono.just("worked")))
                .verifyError(LockNotAcquiredException.class);

        assertThat(acquire("not_acquired")).isEqualTo(2);
        assertThat(acquired()).isZero();
        assertThat(held()).isZero();
    }

    @Test
    void whoWaitsIsCountedUntilTheLockIsThere() {
        FIXTURE.put(key, "another", MINUTE);
        CompletableFuture<Double> working = locks.withLock(key, OPTIONS.retry(1_000, Duration.ofMillis(10)),
                lock -> Mono.fromSupplier(this::waiting)).toFuture();
        Await.until("it waits", () -> waiting() == 1);

        FIXTURE.redis().del(key);

        assertThat(working.orTimeout(10, TimeUnit.SECONDS).join()).as("during the work").isZero();
        assertThat(acquired()).isEqualTo(1);
        assertThat(timer("redislock.acquire", "acquired").totalTime(TimeUnit.MILLISECONDS)).isGreaterThanOrEqualTo(10);
    }

    @Test
    void cancelledWaitIsAbandoned() {
        FIXTURE.put(key, "another", MINUTE);
        Disposable one = locks.acquire(key, WAITING).subscribe();
        Disposable other = locks.withLock(key, WAITING, lock -> Mono.just("worked")).subscribe();
        Await.until("both wait", () -> waiting() == 2);

        one.dispose();
        other.dispose();

        Await.until("both are abandoned", () -> acquire("abandoned") == 2);
        assertThat(waiting()).isZero();
    }

    /** Its reply comes after the cancel: the lock was acquired, for nobody. */
    @Test
    void attemptInFlightAtTheCancelIsHeldUntilItIsReleased() {
        FIXTURE.server().pause();
        locks.acquire(key).subscribe().dispose();

        FIXTURE.server().resume();

        Await.until("it is released", () -> hold("released") == 1);
        assertThat(acquired()).isEqualTo(1);
        assertThat(acquire("abandoned")).isZero();
        assertThat(FIXTURE.exists(key)).isFalse();
    }

    @Test
    void errorOfRedisIsUnavailable() {
        FIXTURE.redis().rpush(key, "a list");

        StepVerifier.create(locks.acquire(key)).verifyError(LockUnavailableException.class);

        assertThat(acquire("unavailable")).isEqualTo(1);
    }

    @Test
    void missingAnswerIsUnavailable() {
        FIXTURE.server().pause();

        StepVerifier.create(locks.acquire(key, OPTIONS.commandTimeout(BRIEF)))
                .verifyError(LockUnavailableException.class);

        assertThat(acquire("unavailable")).isEqualTo(1);
    }

    @Test
    void extensionsAreCountedByHandAndByRenewal() {
        RedisLock byHand = locks.acquire(key).block(Await.PATIENCE);
        assertThat(byHand.extend(MINUTE).block(Await.PATIENCE)).isTrue();
        assertThat(renewals("extended")).isEqualTo(1);

        RedisLock renewed = locks.acquire(FIXTURE.freshKey(), RENEWED).block(Await.PATIENCE);
        Await.until("it was renewed twice", () -> renewals("extended") >= 3);

        assertThat(byHand.release().then(renewed.release()).block(Await.PATIENCE)).isTrue();
        assertThat(renewals("suspect")).isZero();
    }

    @Test
    void leaseThatCouldNotBeExtendedIsSuspectOnceForEachEpisode() {
        RedisLock lock = locks.acquire(key, OPTIONS.commandTimeout(BRIEF)).block(Await.PATIENCE);
        FIXTURE.server().pause();
        for (int i = 0; i < 2; i++) {
            StepVerifier.create(lock.extend(MINUTE)).verifyError(LockUnavailableException.class);
        }
        assertThat(lock.state()).isEqualTo(LockState.SUSPECT);
        assertThat(renewals("suspect")).isEqualTo(1);
        assertThat(held()).as("ours until its deadline").isEqualTo(1);

        FIXTURE.server().resume();

        Await.until("it is held again", () -> lock.extend(MINUTE).onErrorReturn(false).block(Await.PATIENCE));
        assertThat(lock.state()).isEqualTo(LockState.HELD);
        assertThat(renewals("extended")).isEqualTo(1);
        assertThat(lock.release().block(Await.PATIENCE)).isTrue();
    }

    @Test
    void keyThatWasDeletedIsLostAtTheNextRenewal() {
        lostByRenewal(LockLoss.DELETED, () -> FIXTURE.redis().del(key));
    }

    @Test
    void keyThatWasTakenOverIsLostAtTheNextRenewal() {
        lostByRenewal(LockLoss.TAKEN_OVER, () -> FIXTURE.put(key, "another", MINUTE));
    }

    private void lostByRenewal(LockLoss reason, Runnable disturb) {
        CompletableFuture<Object> working = locks.withLock(key, RENEWED,
                lock -> Mono.never()).toFuture();
        Await.until("it works", () -> held() == 1);

        disturb.run();

        StepVerifier.create(Mono.fromFuture(working)).expectErrorSatisfies(error -> assertThat(error)
                .isInstanceOfSatisfying(LockLostException.class, lost -> assertThat(lost.reason()).isEqualTo(reason)))
                .verify(Await.PATIENCE);
        assertLost(reason);
    }

    @Test
    void leaseThatRanOutDuringTheWorkIsLostAsExpired() {
        StepVerifier.create(locks.withLock(key, OPTIONS.expiry(Duration.ofMillis(50)), lock -> Mono.never()))
                .verifyError(LockLostException.class);

        assertLost(LockLoss.EXPIRED);
    }

    @Test
    void leaseThatNobodyReleasesIsLostAsExpiredToo() {
        RedisLock lock = locks.acquire(key, OPTIONS.expiry(Duration.ofMillis(50))).block(Await.PATIENCE);
        Await.until("it is lost", () -> hold("lost") == 1);

        lock.release().block(Await.PATIENCE);

        assertLost(LockLoss.EXPIRED);
    }

    @Test
    void renewedLeaseIsLostWhenItWasHeldForAsLongAsItMay() {
        StepVerifier.create(locks.withLock(key, RENEWED.autoRenew(Duration.ofMillis(1_200)), lock -> Mono.never()))
                .verifyError(LockLostException.class);

        assertLost(LockLoss.MAX_HOLD_REACHED);
        assertThat(renewals("extended")).isPositive();
    }

    @Test
    void keyThatTheReleaseFindsGoneWasLost() {
        StepVerifier.create(locks.withLock(key, lock -> FIXTURE.reactiveRedis().del(key)))
                .verifyError(LockLostException.class);

        assertLost(LockLoss.DELETED);
    }

    private void assertLost(LockLoss reason) {
        assertThat(losses(reason)).isEqualTo(1);
        assertThat(hold("lost")).isEqualTo(1);
        assertThat(held()).isZero();
        assertThat(hold("released")).as("told as lost, so not as released").isZero();
    }

    @Test
    void releaseThatIsNotAnsweredHasFailedAndEndsTheHold() {
        RedisLock lock = locks.acquire(key, OPTIONS.commandTimeout(BRIEF)).block(Await.PATIENCE);
        FIXTURE.server().pause();

        assertThat(lock.release().block(Await.PATIENCE)).isFalse();

        assertThat(registry.get("redislock.release.failures").tag("lock", NAME).counter().count()).isEqualTo(1);
        assertThat(hold("released")).isEqualTo(1);
        assertThat(held()).isZero();
    }

    @Test
    void closingEndsWhatIsHeldAndWhatWaits() {
        FIXTURE.put(key, "another", MINUTE);
        CompletableFuture<RedisLock> waitingForIt = locks.acquire(key, WAITING).toFuture();
        RedisLock lock = locks.acquire(FIXTURE.freshKey()).block(Await.PATIENCE);
        CompletableFuture<Object> working = locks.withLock(FIXTURE.freshKey(), held -> Mono.never()).toFuture();
        Await.until("one waits and two are held", () -> waiting() == 1 && held() == 2);

        locks.close().block(Await.PATIENCE);

        StepVerifier.create(Mono.fromFuture(waitingForIt)).expectError(LockUnavailableException.class)
                .verify(Await.PATIENCE);
        StepVerifier.create(Mono.fromFuture(working)).expectError(LockLostException.class).verify(Await.PATIENCE);
        assertThat(losses(LockLoss.CLOSED)).isEqualTo(2);
        assertThat(acquire("unavailable")).isEqualTo(1);
        assertThat(held()).isZero();
        assertThat(waiting()).isZero();
        assertThat(lock.state()).isNotEqualTo(LockState.HELD);
    }

    @Test
    void callsAfterTheCloseAreUnavailable() {
        locks.close().block(Await.PATIENCE);

        StepVerifier.create(locks.acquire(key)).verifyError(LockUnavailableException.class);

        assertThat(acquire("unavailable")).isEqualTo(1);
    }

    @Test
    void operationsWithAValueOfTheCallersAreNotCounted() {
        locks.take(key, "ours", MINUTE)
                .then(locks.extend(key, "ours", MINUTE))
                .then(locks.query(key))
                .then(locks.release(key, "ours"))
                .block(Await.PATIENCE);

        assertThat(registry.getMeters()).isEmpty();
    }

    private double held() {
        return gauge("redislock.held");
    }

    private double waiting() {
        return gauge("redislock.waiting");
    }

    /** Meters are there from the first event on. */
    private double gauge(String meter) {
        Gauge gauge = registry.find(meter).tag("lock", NAME).gauge();
        return gauge == null ? 0 : gauge.value();
    }

    private long acquired() {
        return acquire("acquired");
    }

    private long acquire(String outcome) {
        return count("redislock.acquire", outcome);
    }

    private long hold(String outcome) {
        return count("redislock.hold", outcome);
    }

    private long count(String meter, String outcome) {
        Timer timer = registry.find(meter).tags("lock", NAME, "outcome", outcome).timer();
        return timer == null ? 0 : timer.count();
    }

    private Timer timer(String meter, String outcome) {
        return registry.get(meter).tags("lock", NAME, "outcome", outcome).timer();
    }

    private double renewals(String outcome) {
        return registry.get("redislock.renewals").tags("lock", NAME, "outcome", outcome).counter().count();
    }

    private double losses(LockLoss reason) {
        return registry.get("redislock.losses").tags("lock", NAME, "reason", reason.name().toLowerCase(Locale.ROOT))
                .counter().count();
    }
}
