package io.redislock.reactor;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.redislock.LockNotAcquiredException;
import io.redislock.LockOptions;
import io.redislock.LockState;
import io.redislock.LockUnavailableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** What the meters show of locks on a real Redis that are had or not had, and given back: during and after. */
class LockMetricsTest {

    private static final String NAME = "orders";
    private static final Duration MINUTE = Duration.ofSeconds(60);
    private static final LockOptions OPTIONS = LockOptions.defaults().name(NAME).expiry(MINUTE).retry(0, MINUTE);
    /** Waits, and does not ask again within the test. */
    private static final LockOptions WAITING = OPTIONS.retry(1, MINUTE);
    /** Shorter than a pause of the server, longer than the machine may stand still. */
    private static final Duration BRIEF = Duration.ofMillis(200);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final MeterReadings meters = new MeterReadings(NAME);
    private final ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder
            .defaults(OPTIONS).listener(meters.listener()));
    private final String key = FIXTURE.freshKey();

    @AfterEach
    void everythingThatBeganHasEnded() {
        FIXTURE.server().resume();
        locks.close().block(Await.PATIENCE);
        meters.assertEverythingHasEnded();
    }

    @Test
    void lockIsHeldDuringTheWorkAndReleasedAfterIt() {
        double during = locks.withLock(key, lock -> Mono.fromSupplier(meters::held)).block(Await.PATIENCE);

        assertThat(during).isEqualTo(1);
        assertThat(meters.held()).isZero();
        assertThat(meters.acquire("acquired")).isEqualTo(1);
        assertThat(meters.hold("released")).isEqualTo(1);
    }

    @Test
    void timesAreThoseOfTheWaitAndOfTheHold() {
        Duration work = Duration.ofMillis(50);
        locks.withLock(key, lock -> Mono.delay(work)).block(Await.PATIENCE);

        assertThat(meters.holdTime("released")).isGreaterThanOrEqualTo(work);
        assertThat(meters.acquireTime("acquired")).isPositive();
    }

    @Test
    void workThatFailsOrIsCancelledIsReleasedToo() {
        StepVerifier.create(locks.withLock(key, lock -> Mono.error(new IllegalStateException("failed"))))
                .verifyErrorMessage("failed");
        Disposable working = locks.withLock(key, lock -> Mono.never()).subscribe();
        Await.until("it works", () -> meters.held() == 1);

        working.dispose();

        Await.until("it is released", () -> meters.hold("released") == 2);
        assertThat(meters.held()).isZero();
    }

    @Test
    void busyToTheEndIsNotAcquired() {
        FIXTURE.put(key, "another", MINUTE);

        StepVerifier.create(locks.acquire(key)).expectComplete().verify(Await.PATIENCE);
        StepVerifier.create(locks.withLock(key, lock -> Mono.just("worked")))
                .verifyError(LockNotAcquiredException.class);

        assertThat(meters.acquire("not_acquired")).isEqualTo(2);
        assertThat(meters.acquire("acquired")).isZero();
        assertThat(meters.held()).isZero();
    }

    @Test
    void whoWaitsIsCountedUntilTheLockIsThere() {
        FIXTURE.put(key, "another", MINUTE);
        CompletableFuture<Double> working = locks.withLock(key, OPTIONS.retry(1_000, Duration.ofMillis(10)),
                lock -> Mono.fromSupplier(meters::waiting)).toFuture();
        Await.until("it waits", () -> meters.waiting() == 1);

        FIXTURE.redis().del(key);

        assertThat(working.orTimeout(10, TimeUnit.SECONDS).join()).as("during the work").isZero();
        assertThat(meters.acquire("acquired")).isEqualTo(1);
        assertThat(meters.acquireTime("acquired")).isPositive();
    }

    @Test
    void cancelledWaitIsAbandoned() {
        FIXTURE.put(key, "another", MINUTE);
        Disposable one = locks.acquire(key, WAITING).subscribe();
        Disposable other = locks.withLock(key, WAITING, lock -> Mono.just("worked")).subscribe();
        Await.until("both wait", () -> meters.waiting() == 2);

        one.dispose();
        other.dispose();

        Await.until("both are abandoned", () -> meters.acquire("abandoned") == 2);
        assertThat(meters.waiting()).isZero();
    }

    /** Its reply comes after the cancel: the lock was acquired, for nobody. */
    @Test
    void attemptInFlightAtTheCancelIsHeldUntilItIsReleased() {
        FIXTURE.server().pause();
        locks.acquire(key).subscribe().dispose();

        FIXTURE.server().resume();

        Await.until("it is released", () -> meters.hold("released") == 1);
        assertThat(meters.acquire("acquired")).isEqualTo(1);
        assertThat(meters.acquire("abandoned")).isZero();
        assertThat(FIXTURE.exists(key)).isFalse();
    }

    @Test
    void errorOfRedisIsUnavailable() {
        FIXTURE.redis().rpush(key, "a list");

        StepVerifier.create(locks.acquire(key)).verifyError(LockUnavailableException.class);

        assertThat(meters.acquire("unavailable")).isEqualTo(1);
    }

    @Test
    void missingAnswerIsUnavailable() {
        FIXTURE.server().pause();

        StepVerifier.create(locks.acquire(key, OPTIONS.commandTimeout(BRIEF)))
                .verifyError(LockUnavailableException.class);

        assertThat(meters.acquire("unavailable")).isEqualTo(1);
    }

    @Test
    void callAfterTheCloseIsUnavailable() {
        locks.close().block(Await.PATIENCE);

        StepVerifier.create(locks.acquire(key)).verifyError(LockUnavailableException.class);

        assertThat(meters.acquire("unavailable")).isEqualTo(1);
    }

    @Test
    void extensionIsCountedByHandAndByRenewal() {
        RedisLock byHand = locks.acquire(key).block(Await.PATIENCE);
        assertThat(byHand.extend(MINUTE).block(Await.PATIENCE)).isTrue();
        assertThat(meters.renewals("extended")).isEqualTo(1);

        RedisLock renewed = locks.acquire(FIXTURE.freshKey(),
                OPTIONS.expiry(Duration.ofMillis(1_500)).autoRenew(MINUTE)).block(Await.PATIENCE);
        Await.until("it was renewed twice", () -> meters.renewals("extended") >= 3);

        assertThat(byHand.release().then(renewed.release()).block(Await.PATIENCE)).isTrue();
        assertThat(meters.renewals("suspect")).isZero();
    }

    @Test
    void leaseThatCouldNotBeExtendedIsSuspectOnceForEachEpisode() {
        RedisLock lock = locks.acquire(key, OPTIONS.commandTimeout(BRIEF)).block(Await.PATIENCE);
        FIXTURE.server().pause();
        for (int i = 0; i < 2; i++) {
            StepVerifier.create(lock.extend(MINUTE)).verifyError(LockUnavailableException.class);
        }
        assertThat(lock.state()).isEqualTo(LockState.SUSPECT);
        assertThat(meters.renewals("suspect")).isEqualTo(1);
        assertThat(meters.held()).as("ours until its deadline").isEqualTo(1);

        FIXTURE.server().resume();

        Await.until("it is held again", () -> lock.extend(MINUTE).onErrorReturn(false).block(Await.PATIENCE));
        assertThat(lock.state()).isEqualTo(LockState.HELD);
        assertThat(meters.renewals("extended")).isEqualTo(1);
        assertThat(lock.release().block(Await.PATIENCE)).isTrue();
    }

    @Test
    void releaseThatIsNotAnsweredHasFailedAndEndsTheHold() {
        RedisLock lock = locks.acquire(key, OPTIONS.commandTimeout(BRIEF)).block(Await.PATIENCE);
        FIXTURE.server().pause();

        assertThat(lock.release().block(Await.PATIENCE)).isFalse();

        assertThat(meters.releaseFailures()).isEqualTo(1);
        assertThat(meters.hold("released")).isEqualTo(1);
        assertThat(meters.held()).isZero();
    }

    @Test
    void operationsWithAValueOfTheCallersAreNotCounted() {
        locks.take(key, "ours", MINUTE)
                .then(locks.extend(key, "ours", MINUTE))
                .then(locks.query(key))
                .then(locks.release(key, "ours"))
                .block(Await.PATIENCE);

        assertThat(meters.areNone()).isTrue();
    }
}
