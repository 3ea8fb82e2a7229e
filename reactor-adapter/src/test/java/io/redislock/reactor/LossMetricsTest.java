package io.redislock.reactor;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.redislock.LockLoss;
import io.redislock.LockLostException;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** What the meters show of locks on a real Redis that are lost: once, by their reason, and never as released too. */
class LossMetricsTest {

    private static final String NAME = "orders";
    private static final Duration MINUTE = Duration.ofSeconds(60);
    private static final LockOptions OPTIONS = LockOptions.defaults().name(NAME).expiry(MINUTE).retry(0, MINUTE);
    /** Renewed every 500 ms at the latest. */
    private static final LockOptions RENEWED = OPTIONS.expiry(Duration.ofMillis(1_500)).autoRenew(MINUTE);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onTheSharedServer();

    private final MeterReadings meters = new MeterReadings(NAME);
    private final ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder
            .defaults(OPTIONS).listener(meters.listener()));
    private final String key = FIXTURE.freshKey();

    @AfterEach
    void everythingThatBeganHasEnded() {
        locks.close().block(Await.PATIENCE);
        meters.assertEverythingHasEnded();
    }

    @Test
    void keyThatWasDeletedIsLostAtTheNextRenewal() {
        lostByRenewal(LockLoss.DELETED, () -> FIXTURE.redis().del(key));
    }

    @Test
    void keyThatWasTakenOverIsLostAtTheNextRenewal() {
        lostByRenewal(LockLoss.TAKEN_OVER, () -> FIXTURE.put(key, "another", MINUTE));
    }

    private void lostByRenewal(LockLoss reason, Runnable disturbance) {
        CompletableFuture<Object> working = locks.withLock(key, RENEWED, lock -> Mono.never()).toFuture();
        Await.until("it works", () -> meters.held() == 1);

        disturbance.run();

        isLost(Mono.fromFuture(working), reason);
    }

    @Test
    void leaseThatRunsOutDuringTheWorkIsLostAsExpired() {
        isLost(locks.withLock(key, OPTIONS.expiry(Duration.ofMillis(100)), lock -> Mono.never()), LockLoss.EXPIRED);
    }

    @Test
    void leaseThatNobodyReleasesIsLostAsExpiredAndStaysSo() {
        RedisLock lock = locks.acquire(key, OPTIONS.expiry(Duration.ofMillis(100))).block(Await.PATIENCE);
        Await.until("it is lost", () -> meters.hold("lost") == 1);

        lock.release().block(Await.PATIENCE);

        assertLostOnce(LockLoss.EXPIRED);
    }

    @Test
    void renewedLeaseIsLostWhenItWasHeldForAsLongAsItMay() {
        isLost(locks.withLock(key, RENEWED.autoRenew(Duration.ofMillis(1_200)), lock -> Mono.never()),
                LockLoss.MAX_HOLD_REACHED);
        assertThat(meters.renewals("extended")).isPositive();
    }

    @Test
    void keyThatTheReleaseFindsGoneWasLost() {
        isLost(locks.withLock(key, lock -> FIXTURE.reactiveRedis().del(key)), LockLoss.DELETED);
    }

    @Test
    void closingLosesWhatIsHeldAndEndsWhatWaits() {
        FIXTURE.put(key, "another", MINUTE);
        CompletableFuture<RedisLock> waiting = locks.acquire(key, OPTIONS.retry(1, MINUTE)).toFuture();
        RedisLock lock = locks.acquire(FIXTURE.freshKey()).block(Await.PATIENCE);
        CompletableFuture<Object> working = locks.withLock(FIXTURE.freshKey(), held -> Mono.never()).toFuture();
        Await.until("one waits and two are held", () -> meters.waiting() == 1 && meters.held() == 2);

        locks.close().block(Await.PATIENCE);

        assertThat(meters.held()).isZero();
        assertThat(meters.waiting()).isZero();
        assertThat(meters.losses(LockLoss.CLOSED)).isEqualTo(2);
        assertThat(meters.acquire("unavailable")).isEqualTo(1);
        StepVerifier.create(Mono.fromFuture(waiting)).expectError(LockUnavailableException.class)
                .verify(Await.PATIENCE);
        StepVerifier.create(Mono.fromFuture(working)).expectError(LockLostException.class).verify(Await.PATIENCE);
        assertThat(lock.isAcquired()).isFalse();
    }

    private void isLost(Mono<?> call, LockLoss reason) {
        StepVerifier.create(call).expectErrorSatisfies(error -> assertThat(error)
                        .isInstanceOfSatisfying(LockLostException.class,
                                lost -> assertThat(lost.reason()).isEqualTo(reason)))
                .verify(Await.PATIENCE);
        assertLostOnce(reason);
    }

    private void assertLostOnce(LockLoss reason) {
        assertThat(meters.losses(reason)).isEqualTo(1);
        assertThat(meters.hold("lost")).isEqualTo(1);
        assertThat(meters.hold("released")).isZero();
        assertThat(meters.held()).isZero();
    }
}
