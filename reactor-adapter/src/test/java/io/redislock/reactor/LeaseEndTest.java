package io.redislock.reactor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.redislock.LockLoss;
import io.redislock.LockLostException;
import io.redislock.LockOptions;
import io.redislock.LockState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/** A lease that nobody extends ends at its local deadline, in virtual time on a store in memory. */
class LeaseEndTest {

    private static final LockOptions TEN_SECONDS = LockOptions.defaults().expiry(Duration.ofSeconds(10));
    /** 10 s less 1 % and 2 ms. */
    private static final Duration VALID = Duration.ofMillis(9_898);

    private final VirtualLocks virtual = new VirtualLocks();
    private final List<Object> signals = new ArrayList<>();
    private final AtomicBoolean cancelled = new AtomicBoolean();

    @AfterEach
    void realTime() {
        virtual.close();
    }

    @Test
    void lossIsSignalledAtTheDeadlineAndNotBefore() {
        RedisLock lock = acquire();
        lock.lost().subscribe(signals::add, signals::add, () -> signals.add("complete"));

        virtual.pass(VALID.minusNanos(1));
        assertThat(signals).isEmpty();
        assertThat(lock.state()).isEqualTo(LockState.HELD);
        assertThat(lock.isAcquired()).isTrue();
        assertThat(lock.remaining()).isEqualTo(Duration.ofNanos(1));
        virtual.pass(Duration.ofNanos(1));

        assertThat(signals).containsExactly(LockLoss.EXPIRED, "complete");
        assertThat(lock.state()).isEqualTo(LockState.LOST);
        assertThat(lock.isAcquired()).isFalse();
        assertThat(lock.remaining()).isZero();
        // The server still has the key then.
        assertThat(virtual.store.value("key")).contains(lock.value());
    }

    @Test
    void lossIsToldToThoseWhoAskLater() {
        RedisLock lock = acquire();
        virtual.pass(VALID);

        lock.lost().subscribe(signals::add);

        assertThat(signals).containsExactly(LockLoss.EXPIRED);
    }

    @Test
    void releasedLockIsNeverLost() {
        RedisLock lock = acquire();
        lock.lost().subscribe(signals::add, signals::add, () -> signals.add("complete"));

        lock.release().subscribe();
        assertThat(signals).containsExactly("complete");
        assertThat(lock.state()).isEqualTo(LockState.RELEASED);
        virtual.pass(VALID.multipliedBy(2));

        assertThat(signals).containsExactly("complete");
        assertThat(lock.state()).isEqualTo(LockState.RELEASED);
    }

    @Test
    void releaseOfALostLockStillDeletesTheKeyAndKeepsTheReason() {
        RedisLock lock = acquire();
        virtual.pass(VALID);

        lock.release().subscribe(signals::add);
        lock.lost().subscribe(signals::add);

        assertThat(signals).containsExactly(true, LockLoss.EXPIRED);
        assertThat(lock.state()).isEqualTo(LockState.RELEASED);
        assertThat(virtual.store.value("key")).isEmpty();
    }

    @Test
    void extendedLeaseEndsAtItsNewDeadline() {
        RedisLock lock = acquire();
        lock.lost().subscribe(signals::add);
        virtual.pass(Duration.ofSeconds(5));
        lock.extend(Duration.ofSeconds(10)).subscribe();

        virtual.pass(VALID.minusNanos(1));
        assertThat(signals).isEmpty();
        virtual.pass(Duration.ofNanos(1));

        assertThat(signals).containsExactly(LockLoss.EXPIRED);
    }

    @Test
    void workIsCancelledAtTheDeadlineAlsoWithoutRenewal() {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        virtual.locks.withLock("key", TEN_SECONDS, lock -> Mono.never().doOnCancel(() -> cancelled.set(true)))
                .subscribe(value -> { }, failure::set);

        virtual.pass(VALID.minusNanos(1));
        assertThat(cancelled).isFalse();
        virtual.pass(Duration.ofNanos(1));

        assertThat(cancelled).isTrue();
        assertThat(failure.get()).isInstanceOfSatisfying(LockLostException.class, lost -> {
            assertThat(lost.reason()).isEqualTo(LockLoss.EXPIRED);
            assertThat(lost.key()).isEqualTo("key");
        });
        assertThat(virtual.store.value("key")).isEmpty();
    }

    @Test
    void valuesThatWereEmittedBeforeTheLossStay() {
        virtual.locks.withLockMany("key", TEN_SECONDS, lock -> Flux.just(1, 2).concatWith(Mono.never()))
                .subscribe(signals::add, signals::add);

        virtual.pass(VALID);

        assertThat(signals).hasSize(3).startsWith(1, 2);
        assertThat(signals.get(2)).isInstanceOf(LockLostException.class);
    }

    @Test
    void workThatEndsBeforeTheDeadlineIsNotDisturbed() {
        virtual.locks.withLock("key", TEN_SECONDS, lock -> Mono.delay(VALID.minusNanos(1)).thenReturn("done"))
                .subscribe(signals::add, signals::add);
        virtual.locks.withLock("other", TEN_SECONDS, lock -> Mono.empty())
                .subscribe(signals::add, signals::add, () -> signals.add("empty"));
        virtual.locks.withLockMany("many", TEN_SECONDS, lock -> Flux.range(1, 2))
                .subscribe(signals::add, signals::add, () -> signals.add("many"));

        virtual.pass(VALID.multipliedBy(2));

        assertThat(signals).containsExactly("empty", 1, 2, "many", "done");
    }

    @Test
    void workMayReleaseTheLockItselfAndGoOn() {
        virtual.locks.withLock("key", TEN_SECONDS, lock -> lock.release().then(Mono.delay(VALID.multipliedBy(3)))
                .thenReturn("done")).subscribe(signals::add, signals::add);

        virtual.pass(VALID.multipliedBy(4));

        assertThat(signals).containsExactly("done");
    }

    /** Delivered late, by a scheduler that was busy. */
    @Test
    void workIsNotCalledUnderALeaseThatIsOver() {
        Scheduler busy = Schedulers.fromExecutor(task -> Schedulers.parallel().schedule(task, 20, TimeUnit.SECONDS));
        virtual.locksOn(busy).withLock("key", TEN_SECONDS, lock -> Mono.fromRunnable(() -> signals.add("called")))
                .subscribe(signals::add, signals::add);

        virtual.pass(Duration.ofMinutes(5));

        assertThat(signals).singleElement().isInstanceOf(LockLostException.class);
        assertThat(virtual.store.value("key")).isEmpty();
    }

    @Test
    void ownErrorOfTheWorkStaysPrimaryWhenTheLeaseIsLostToo() {
        IllegalStateException own = new IllegalStateException("own");
        virtual.locks.withLock("key", TEN_SECONDS, lock -> Mono.fromRunnable(() -> virtual.store.delete("key"))
                .then(Mono.error(own))).subscribe(signals::add, signals::add);

        assertThat(signals).containsExactly(own);
    }

    private RedisLock acquire() {
        AtomicReference<RedisLock> acquired = new AtomicReference<>();
        virtual.locks.acquire("key", TEN_SECONDS).subscribe(acquired::set);
        return acquired.get();
    }
}
