package io.redislock.reactor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.redislock.LockLoss;
import io.redislock.LockLostException;
import io.redislock.LockOptions;
import io.redislock.LockState;
import io.redislock.reactor.store.InMemoryLockStore.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** What renewal does and when, in virtual time on a store in memory. */
class RenewalTest {

    private static final Duration EXPIRY = Duration.ofSeconds(30);
    /** A third, of which jitter takes a tenth at most. */
    private static final Duration LONGEST_PERIOD = Duration.ofSeconds(10);
    private static final Duration SHORTEST_PERIOD = Duration.ofSeconds(9);
    private static final LockOptions RENEWED = LockOptions.defaults().expiry(EXPIRY).autoRenew(Duration.ofHours(1));

    private final VirtualLocks virtual = new VirtualLocks();
    private final List<Object> signals = new ArrayList<>();

    @AfterEach
    void realTime() {
        virtual.close();
    }

    @Test
    void leaseIsHeldFarBeyondItsExpiry() {
        RedisLock lock = acquire(RENEWED);

        for (int minute = 0; minute < 50; minute++) {
            virtual.pass(Duration.ofMinutes(1));
            assertThat(lock.state()).isEqualTo(LockState.HELD);
            assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(19));
        }

        assertThat(virtual.store.value("key")).contains(lock.value());
    }

    @Test
    void renewalComesAfterAThirdOfTheExpiryLessJitter() {
        for (int round = 0; round < 50; round++) {
            RedisLock lock = acquire(RENEWED);
            int before = virtual.store.prolongations();
            virtual.pass(SHORTEST_PERIOD.minusMillis(1));
            assertThat(virtual.store.prolongations()).isEqualTo(before);
            virtual.pass(LONGEST_PERIOD.minus(SHORTEST_PERIOD).plusMillis(2));
            assertThat(virtual.store.prolongations()).isEqualTo(before + 1);
            lock.release().subscribe();
        }
    }

    @Test
    void nextRenewalIsCountedFromTheCompletionOfTheLast() {
        acquire(RENEWED.commandTimeout(Duration.ofSeconds(9)));
        virtual.store.latency(Duration.ofSeconds(8));

        virtual.pass(LONGEST_PERIOD);
        assertThat(virtual.store.prolongations()).isEqualTo(1);
        virtual.pass(SHORTEST_PERIOD.plusSeconds(7));
        assertThat(virtual.store.prolongations()).isEqualTo(1);
        virtual.pass(Duration.ofSeconds(3));

        assertThat(virtual.store.prolongations()).isEqualTo(2);
    }

    @Test
    void failedRenewalMakesSuspectAndIsRetriedSoonUntilItSucceeds() {
        RedisLock lock = acquire(RENEWED);
        virtual.store.faults(Fault.REFUSED, Fault.REFUSED, Fault.REFUSED);

        virtual.pass(LONGEST_PERIOD);
        assertThat(lock.state()).isEqualTo(LockState.SUSPECT);
        assertThat(lock.isAcquired()).isTrue();
        virtual.pass(Duration.ofSeconds(3));

        assertThat(lock.state()).isEqualTo(LockState.HELD);
        assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(25));
    }

    @Test
    void renewalThatNeverSucceedsLosesTheLeaseAtItsDeadline() {
        RedisLock lock = acquire(RENEWED);
        lock.lost().subscribe(signals::add);
        refuseFromNowOn();

        virtual.pass(Duration.ofMillis(29_697));
        assertThat(lock.state()).isEqualTo(LockState.SUSPECT);
        virtual.pass(Duration.ofMillis(1));

        assertThat(lock.state()).isEqualTo(LockState.LOST);
        assertThat(signals).containsExactly(LockLoss.EXPIRED);
        int tries = virtual.store.commands();
        virtual.pass(Duration.ofHours(1));
        assertThat(virtual.store.commands()).isEqualTo(tries);
    }

    /**
     * Asked again while the first is still queued, a server that catches up after a pause would answer all of them too
     * late, and every lease would be lost.
     */
    @Test
    void renewalThatIsAnsweredLateIsNotSentAgainAndCounts() {
        RedisLock lock = acquire(RENEWED);
        virtual.store.latency(Duration.ofSeconds(12));

        virtual.pass(LONGEST_PERIOD.plusSeconds(2));
        assertThat(lock.state()).isEqualTo(LockState.SUSPECT);
        virtual.pass(Duration.ofSeconds(7));
        assertThat(virtual.store.prolongations()).isEqualTo(1);
        virtual.pass(Duration.ofSeconds(3));

        assertThat(lock.state()).isEqualTo(LockState.HELD);
        // 30 s less the drift, counted from the sending some 12 s ago.
        assertThat(lock.remaining()).isBetween(Duration.ofSeconds(16), Duration.ofSeconds(18));
        virtual.store.latency(Duration.ZERO);
        // Earlier than a period later, so that a third of the expiry is left for failures.
        virtual.pass(Duration.ofSeconds(8));
        assertThat(virtual.store.prolongations()).isEqualTo(2);
        assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(27));
    }

    @Test
    void deletedKeyIsLostAtTheNextRenewal() {
        RedisLock lock = acquire(RENEWED);
        lock.lost().subscribe(signals::add);

        virtual.store.delete("key");
        virtual.pass(LONGEST_PERIOD);

        assertThat(signals).containsExactly(LockLoss.DELETED);
        assertThat(lock.state()).isEqualTo(LockState.LOST);
        assertThat(virtual.store.value("key")).isEmpty();
    }

    @Test
    void keyOfAnotherOwnerIsLostAsTakenOverAndLeftAlone() {
        RedisLock lock = acquire(RENEWED);
        lock.lost().subscribe(signals::add);

        virtual.store.put("key", "foreign", Duration.ofHours(1));
        virtual.pass(LONGEST_PERIOD);
        lock.release().subscribe(signals::add);

        assertThat(signals).containsExactly(LockLoss.TAKEN_OVER, false);
        assertThat(virtual.store.value("key")).contains("foreign");
    }

    @Test
    void leaseIsLostWhenItWasHeldForTheLongestTimeAndItsKeyIsLeft() {
        RedisLock lock = acquire(RENEWED.autoRenew(Duration.ofMinutes(5)));
        lock.lost().subscribe(signals::add);

        virtual.pass(Duration.ofMinutes(5).minusNanos(1));
        assertThat(signals).isEmpty();
        virtual.pass(Duration.ofNanos(1));

        assertThat(signals).containsExactly(LockLoss.MAX_HOLD_REACHED);
        assertThat(virtual.store.value("key")).contains(lock.value());
        virtual.pass(EXPIRY);
        assertThat(virtual.store.value("key")).isEmpty();
    }

    @Test
    void longestHoldShorterThanTheExpiryCountsToo() {
        RedisLock lock = acquire(RENEWED.autoRenew(Duration.ofSeconds(1)));
        lock.lost().subscribe(signals::add);

        virtual.pass(Duration.ofSeconds(1));

        assertThat(signals).containsExactly(LockLoss.MAX_HOLD_REACHED);
    }

    @Test
    void workOfWithLockIsCancelledWhenTheKeyIsDeleted() {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        virtual.locks.withLock("key", RENEWED, lock -> Mono.never()).subscribe(value -> { }, failure::set);

        virtual.pass(Duration.ofMinutes(10));
        assertThat(failure).hasNullValue();
        virtual.store.delete("key");
        virtual.pass(LONGEST_PERIOD);

        assertThat(failure.get()).isInstanceOfSatisfying(LockLostException.class,
                lost -> assertThat(lost.reason()).isEqualTo(LockLoss.DELETED));
    }

    @Test
    void nothingIsRenewedAfterTheRelease() {
        RedisLock lock = acquire(RENEWED);
        virtual.pass(Duration.ofMinutes(1));
        lock.release().subscribe();
        int renewals = virtual.store.prolongations();

        virtual.pass(Duration.ofHours(2));

        assertThat(virtual.store.prolongations()).isEqualTo(renewals);
    }

    @Test
    void nothingIsRenewedThatNobodyWasGiven() {
        virtual.store.latency(Duration.ofMillis(100));
        virtual.locks.acquire("key", RENEWED).subscribe().dispose();

        virtual.pass(Duration.ofHours(2));

        assertThat(virtual.store.prolongations()).isZero();
        assertThat(virtual.store.value("key")).isEmpty();
    }

    @Test
    void withoutAutoRenewNothingIsRenewed() {
        acquire(LockOptions.defaults().expiry(EXPIRY));

        virtual.pass(Duration.ofHours(2));

        assertThat(virtual.store.prolongations()).isZero();
    }

    /** A leader that only listens for the end of its leadership: nothing but the subscription points to the handle. */
    @Test
    void whoListensForTheLossKeepsTheLease() {
        virtual.locks.acquire("leader", RENEWED).flatMap(RedisLock::lost)
                .subscribe(signals::add, signals::add, () -> signals.add("complete"));

        for (int renewal = 0; renewal < 6; renewal++) {
            System.gc();
            virtual.pass(LONGEST_PERIOD);
        }

        assertThat(signals).isEmpty();
        assertThat(virtual.store.value("leader")).isPresent();
    }

    @Test
    void laterLocksRenewAfterAnyError() {
        acquire(RENEWED);
        refuseFromNowOn();
        virtual.pass(Duration.ofMinutes(1));
        virtual.store.clearFaults();

        RedisLock later = acquire(RENEWED);
        virtual.pass(Duration.ofMinutes(30));

        assertThat(later.state()).isEqualTo(LockState.HELD);
    }

    private void refuseFromNowOn() {
        Fault[] faults = new Fault[10_000];
        Arrays.fill(faults, Fault.REFUSED);
        virtual.store.faults(faults);
    }

    private RedisLock acquire(LockOptions options) {
        AtomicReference<RedisLock> acquired = new AtomicReference<>();
        virtual.locks.acquire("key", options).subscribe(lock -> {
            acquired.set(lock);
            kept.add(lock);
        });
        return acquired.get();
    }

    /** A handle that nobody keeps is released. */
    private final List<RedisLock> kept = new ArrayList<>();
}
