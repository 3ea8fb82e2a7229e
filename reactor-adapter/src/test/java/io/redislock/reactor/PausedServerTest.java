package io.redislock.reactor;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import io.redislock.LockLoss;
import io.redislock.LockLostException;
import io.redislock.LockOptions;
import io.redislock.LockState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** A server that is stopped by a signal: it accepts and does not answer. Leases end on time all the same. */
class PausedServerTest {

    private static final Duration EXPIRY = Duration.ofSeconds(2);
    /** 2 s less 1 % and 2 ms. */
    private static final Duration VALID = Duration.ofMillis(1_978);
    private static final LockOptions SHORT = LockOptions.defaults().expiry(EXPIRY)
            .commandTimeout(Duration.ofMillis(300));

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final String key = FIXTURE.freshKey();

    @Test
    void lossIsSignalledAtTheDeadlineWithoutTheServer() {
        long before = System.nanoTime();
        RedisLock lock = FIXTURE.locks().acquire(key, SHORT).block(Await.PATIENCE);
        long after = System.nanoTime();
        FIXTURE.server().pause();

        LockLoss loss = lock.lost().block(Await.PATIENCE);
        long signalled = System.nanoTime();

        assertThat(loss).isEqualTo(LockLoss.EXPIRED);
        assertThat(lock.state()).isEqualTo(LockState.LOST);
        assertThat(lock.isAcquired()).isFalse();
        // Never before the deadline, whose count began after "before"; and while the server still keeps the key.
        assertThat(Duration.ofNanos(signalled - before)).isGreaterThanOrEqualTo(VALID);
        assertThat(Duration.ofNanos(signalled - after)).isLessThan(VALID.plusMillis(500));
    }

    @Test
    void renewedLeaseIsSuspectAndThenLostAndItsWorkIsCancelledOnTime() {
        AtomicLong cancelledAt = new AtomicLong();
        CompletableFuture<RedisLock> working = new CompletableFuture<>();
        CompletableFuture<Object> result = FIXTURE.locks().withLock(key, SHORT.autoRenew(Duration.ofMinutes(1)),
                        lock -> Mono.fromRunnable(() -> working.complete(lock)).then(Mono.never())
                                .doOnCancel(() -> cancelledAt.set(System.nanoTime())))
                .toFuture();
        RedisLock lock = working.join();
        FIXTURE.server().pause();

        Await.until("it is suspect", () -> lock.state() == LockState.SUSPECT);
        assertThat(lock.isAcquired()).isTrue();
        Await.until("it is held no more", () -> !lock.isAcquired());
        Await.until("its work is cancelled", () -> cancelledAt.get() != 0);

        LockLostException lost = catchThrowableOfType(LockLostException.class,
                () -> Mono.fromFuture(result).block(Await.PATIENCE));
        assertThat(lost.reason()).isEqualTo(LockLoss.EXPIRED);
        FIXTURE.server().resume();
        Await.until("the key is gone", () -> !FIXTURE.exists(key));
    }

    @Test
    void renewedLeaseSurvivesAPauseThatIsShorterThanWhatIsLeft() {
        RedisLock lock = FIXTURE.locks().acquire(key, SHORT.autoRenew(Duration.ofMinutes(1))).block(Await.PATIENCE);
        FIXTURE.server().pause();
        Await.until("it is suspect", () -> lock.state() == LockState.SUSPECT);

        FIXTURE.server().resume();

        Await.until("it is held again", () -> lock.state() == LockState.HELD);
        assertThat(FIXTURE.redis().get(key)).isEqualTo(lock.value());
        assertThat(lock.release().block(Await.PATIENCE)).isTrue();
    }
}
