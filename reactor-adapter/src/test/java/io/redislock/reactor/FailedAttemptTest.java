package io.redislock.reactor;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import io.redislock.reactor.store.InMemoryLockStore.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Attempts that took the key and must not be handed out, in virtual time on a store in memory. */
class FailedAttemptTest {

    private static final LockOptions THREE_SECONDS = LockOptions.defaults()
            .expiry(Duration.ofSeconds(3)).commandTimeout(Duration.ofSeconds(3)).jitter(0);
    /** 3 s less 1 % and 2 ms. */
    private static final Duration VALID = Duration.ofMillis(2_968);

    private final VirtualLocks virtual = new VirtualLocks();
    private final AtomicReference<Object> end = new AtomicReference<>();

    @AfterEach
    void realTime() {
        virtual.close();
    }

    @Test
    void replyAMomentBeforeTheDeadlineIsHandedOut() {
        virtual.store.latency(VALID.minusNanos(1));
        acquire(THREE_SECONDS.retry(0, Duration.ofMillis(1)));

        virtual.pass(VALID);

        assertThat(end.get()).isInstanceOf(RedisLock.class);
    }

    @Test
    void replyAtTheDeadlineIsAFailedAttemptAndReleased() {
        virtual.store.latency(VALID);
        acquire(THREE_SECONDS.retry(0, Duration.ofMillis(1)));

        virtual.pass(VALID);
        assertThat(end).hasValue("empty");
        assertThat(virtual.store.releases()).isEqualTo(1);
        assertThat(virtual.store.value("key")).isEmpty();
    }

    /** node-redlock#169: each attempt counts its lease from its own start. */
    @Test
    void retryAfterALateReplyHasADeadlineOfItsOwn() {
        virtual.store.latency(VALID);
        acquire(THREE_SECONDS.retry(1, Duration.ofMillis(100)));
        virtual.pass(VALID);
        virtual.store.latency(Duration.ZERO);
        virtual.pass(Duration.ofMillis(100));

        assertThat(end.get()).isInstanceOfSatisfying(RedisLock.class,
                lock -> assertThat(lock.remaining()).isEqualTo(VALID));
        assertThat(virtual.store.value("key")).isPresent();
    }

    @Test
    void lostReplyIsUnavailableAtTheTimeoutAndReleased() {
        virtual.store.faults(Fault.REPLY_LOST);
        acquire(LockOptions.defaults().commandTimeout(Duration.ofSeconds(1)));
        assertThat(virtual.store.value("key")).isPresent();

        virtual.pass(Duration.ofMillis(999));
        assertThat(end).hasNullValue();
        virtual.pass(Duration.ofMillis(1));

        assertThat(end.get()).isInstanceOfSatisfying(LockUnavailableException.class,
                unavailable -> assertThat(unavailable.outcomeUnknown()).isTrue());
        assertThat(virtual.store.value("key")).isEmpty();
    }

    @Test
    void cleanUpIsRepeatedUntilAnsweredAndOnceMore() {
        virtual.store.faults(Fault.REPLY_LOST, Fault.REFUSED, Fault.REFUSED, Fault.REFUSED);
        acquire(LockOptions.defaults().commandTimeout(Duration.ofSeconds(1)));

        virtual.pass(Duration.ofSeconds(1));
        assertThat(virtual.store.value("key")).isPresent();
        virtual.pass(Duration.ofSeconds(2));

        assertThat(virtual.store.value("key")).isEmpty();
        assertThat(virtual.store.releases()).isEqualTo(2);
    }

    @Test
    void cleanUpEndsWhenTheKeyWouldHaveExpired() {
        Fault[] refusals = new Fault[200];
        Arrays.fill(refusals, Fault.REFUSED);
        refusals[0] = Fault.REPLY_LOST;
        virtual.store.faults(refusals);
        acquire(LockOptions.defaults().commandTimeout(Duration.ofSeconds(1)));

        virtual.pass(Duration.ofMinutes(10));

        // One a second at most for 30 s, so some of the refusals are left.
        assertThat(virtual.store.faultsLeft()).isPositive();
    }

    @Test
    void cancelledAcquisitionIsReleasedWhenItsReplyComes() {
        virtual.store.latency(Duration.ofMillis(100));
        virtual.locks.acquire("key").subscribe().dispose();
        assertThat(virtual.store.value("key")).isPresent();

        virtual.pass(Duration.ofMillis(99));
        assertThat(virtual.store.releases()).isZero();
        virtual.pass(Duration.ofMillis(1));

        assertThat(virtual.store.releases()).isEqualTo(1);
        assertThat(virtual.store.value("key")).isEmpty();
    }

    private void acquire(LockOptions options) {
        virtual.locks.acquire("key", options).subscribe(end::set, end::set, () -> end.compareAndSet(null, "empty"));
    }
}
