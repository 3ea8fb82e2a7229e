package io.redislock.reactor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.redislock.LockLoss;
import io.redislock.LockOptions;
import io.redislock.LockState;
import io.redislock.LockUnavailableException;
import io.redislock.reactor.store.InMemoryLockStore.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Extensions by hand, alone and beside renewal and release; in virtual time on a store in memory. */
class ExtensionTest {

    private static final LockOptions TEN_SECONDS = LockOptions.defaults().expiry(Duration.ofSeconds(10));
    /** 10 s less 1 % and 2 ms. */
    private static final Duration VALID = Duration.ofMillis(9_898);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    /** 60 s less 1 % and 2 ms. */
    private static final Duration MINUTE_VALID = Duration.ofMillis(59_398);

    private final EventLog events = new EventLog();
    private final VirtualLocks virtual = new VirtualLocks(events);
    private final List<Object> signals = new ArrayList<>();

    @AfterEach
    void realTime() {
        virtual.close();
    }

    @Test
    void extensionCountsFromBeforeItWasSent() {
        RedisLock lock = acquire(TEN_SECONDS);
        virtual.store.latency(Duration.ofSeconds(1));
        extend(lock, MINUTE);

        virtual.pass(Duration.ofSeconds(1));

        assertThat(signals).containsExactly(true);
        assertThat(lock.remaining()).isEqualTo(MINUTE_VALID.minusSeconds(1));
    }

    @Test
    void shorterExtensionShortensNeitherTheKeyNorTheHandle() {
        RedisLock lock = acquire(TEN_SECONDS);

        extend(lock, Duration.ofMillis(1));

        assertThat(signals).containsExactly(true);
        assertThat(lock.remaining()).isEqualTo(VALID);
        virtual.pass(VALID.minusNanos(1));
        assertThat(virtual.store.value("key")).isPresent();
    }

    @Test
    void nothingIsBelievedBeforeTheAnswer() {
        RedisLock lock = acquire(TEN_SECONDS);
        virtual.store.latency(Duration.ofSeconds(1));
        extend(lock, MINUTE);

        assertThat(lock.remaining()).isEqualTo(VALID);
    }

    @Test
    void oneIsInFlightAndTheNextFollowsItsAnswer() {
        RedisLock lock = acquire(TEN_SECONDS);
        virtual.store.latency(Duration.ofMillis(100));
        extend(lock, Duration.ofSeconds(20));
        extend(lock, Duration.ofSeconds(30));
        extend(lock, MINUTE);

        assertThat(virtual.store.prolongations()).isEqualTo(1);
        virtual.pass(Duration.ofMillis(100));
        assertThat(signals).containsExactly(true);
        assertThat(virtual.store.prolongations()).isEqualTo(2);
        virtual.pass(Duration.ofMillis(200));

        assertThat(signals).containsExactly(true, true, true);
        assertThat(lock.remaining()).isEqualTo(MINUTE_VALID.minusMillis(100));
    }

    @Test
    void extensionByHandTakesItsTurnWithRenewal() {
        RedisLock lock = acquire(TEN_SECONDS.autoRenew(Duration.ofHours(1)));
        virtual.store.latency(Duration.ofMillis(500));
        virtual.pass(Duration.ofSeconds(3).plusMillis(334));
        assertThat(virtual.store.prolongations()).isEqualTo(1);

        extend(lock, MINUTE);
        assertThat(virtual.store.prolongations()).isEqualTo(1);
        virtual.pass(Duration.ofSeconds(1));

        assertThat(signals).containsExactly(true);
        assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(58));
        virtual.pass(Duration.ofSeconds(50));
        assertThat(lock.remaining()).isLessThan(VALID).isPositive();
    }

    @Test
    void releaseGivesUpTheOneInFlightAndThoseThatWait() {
        RedisLock lock = acquire(TEN_SECONDS);
        virtual.store.latency(Duration.ofMillis(100));
        extend(lock, Duration.ofSeconds(20));
        extend(lock, MINUTE);

        lock.release().subscribe(signals::add);
        assertThat(signals).containsExactly(false, false);
        virtual.pass(Duration.ofMillis(100));

        assertThat(signals).containsExactly(false, false, true);
        assertThat(virtual.store.prolongations()).isEqualTo(1);
        assertThat(virtual.store.value("key")).isEmpty();
    }

    @Test
    void cancellingOnlyStopsListening() {
        RedisLock lock = acquire(TEN_SECONDS);
        virtual.store.latency(Duration.ofMillis(100));

        lock.extend(MINUTE).subscribe(signals::add).dispose();
        virtual.pass(Duration.ofMillis(100));

        assertThat(signals).isEmpty();
        assertThat(lock.remaining()).isEqualTo(MINUTE_VALID.minusMillis(100));
    }

    @Test
    void lostReplyLeavesTheOldDeadlineAndMakesSuspect() {
        RedisLock lock = acquire(TEN_SECONDS.commandTimeout(Duration.ofSeconds(1)));
        virtual.store.faults(Fault.REPLY_LOST);
        extend(lock, MINUTE);

        virtual.pass(Duration.ofSeconds(1));

        assertThat(signals).singleElement().isInstanceOf(LockUnavailableException.class);
        assertThat(lock.state()).isEqualTo(LockState.SUSPECT);
        assertThat(lock.remaining()).isEqualTo(VALID.minusSeconds(1));
    }

    @Test
    void replyThatComesAfterTheTimeoutStillCounts() {
        RedisLock lock = acquire(TEN_SECONDS.commandTimeout(Duration.ofSeconds(1)));
        virtual.store.latency(Duration.ofSeconds(3));
        extend(lock, MINUTE);

        virtual.pass(Duration.ofSeconds(1));
        assertThat(signals).singleElement().isInstanceOf(LockUnavailableException.class);
        assertThat(lock.remaining()).isEqualTo(VALID.minusSeconds(1));
        virtual.pass(Duration.ofSeconds(2));

        assertThat(lock.state()).isEqualTo(LockState.HELD);
        assertThat(lock.remaining()).isEqualTo(MINUTE_VALID.minusSeconds(3));
    }

    @Test
    void suspicionIsToldOnceAndEndsWithASuccess() {
        RedisLock lock = acquire(TEN_SECONDS);
        virtual.store.faults(Fault.REFUSED, Fault.REFUSED);
        extend(lock, MINUTE);
        extend(lock, MINUTE);
        assertThat(lock.state()).isEqualTo(LockState.SUSPECT);
        extend(lock, MINUTE);

        assertThat(lock.state()).isEqualTo(LockState.HELD);
        virtual.store.faults(Fault.REFUSED);
        extend(lock, MINUTE);

        assertThat(events.names()).containsExactly("acquired", "suspect", "extended", "suspect");
    }

    /** Somebody may have acted on the loss; and what the server has just prolonged, nobody else would delete. */
    @Test
    void answerThatComesPastTheOldDeadlineIsALossAndTheKeyIsReleased() {
        RedisLock lock = acquire(TEN_SECONDS.commandTimeout(Duration.ofSeconds(10)));
        lock.lost().subscribe(signals::add);
        virtual.pass(Duration.ofSeconds(9));
        virtual.store.latency(Duration.ofSeconds(2));
        extend(lock, MINUTE);

        virtual.pass(Duration.ofSeconds(5));

        assertThat(signals).containsExactly(LockLoss.EXPIRED, false);
        assertThat(lock.state()).isEqualTo(LockState.LOST);
        assertThat(virtual.store.value("key")).isEmpty();
    }

    @Test
    void absentAndForeignKeysAreLosses() {
        RedisLock deleted = acquire(TEN_SECONDS);
        virtual.store.delete("key");
        extend(deleted, MINUTE);
        RedisLock takenOver = acquire(TEN_SECONDS);
        virtual.store.put("key", "foreign", MINUTE);
        extend(takenOver, MINUTE);

        deleted.lost().subscribe(signals::add);
        takenOver.lost().subscribe(signals::add);

        assertThat(signals).containsExactly(false, false, LockLoss.DELETED, LockLoss.TAKEN_OVER);
    }

    @Test
    void nothingIsSentForALeaseThatIsOver() {
        RedisLock lost = acquire(TEN_SECONDS);
        virtual.pass(Duration.ofSeconds(10));
        RedisLock released = acquire(TEN_SECONDS);
        released.release().subscribe();

        extend(lost, MINUTE);
        extend(released, MINUTE);

        assertThat(signals).containsExactly(false, false);
        assertThat(virtual.store.prolongations()).isZero();
    }

    private RedisLock acquire(LockOptions options) {
        AtomicReference<RedisLock> acquired = new AtomicReference<>();
        virtual.locks.acquire("key", options).subscribe(acquired::set);
        return acquired.get();
    }

    private void extend(RedisLock lock, Duration expiry) {
        lock.extend(expiry).subscribe(signals::add, signals::add);
    }
}
