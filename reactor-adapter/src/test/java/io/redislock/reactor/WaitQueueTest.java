package io.redislock.reactor;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.redislock.LockOptions;
import io.redislock.reactor.store.InMemoryLockStore.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

import static org.assertj.core.api.Assertions.assertThat;

/** The callers of one process who want one key, in virtual time on a store in memory that tells of changes. */
class WaitQueueTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration ROUND_TRIP = Duration.ofNanos(50_000);
    private static final Duration SECOND = Duration.ofSeconds(1);
    /** With a schedule so slow that nothing but a wake-up helps. */
    private static final LockOptions PATIENT = LockOptions.defaults().expiry(HOUR).retry(3, HOUR).jitter(0);
    private static final LockOptions ONCE = LockOptions.defaults().retry(0, SECOND);
    /** Attempts at 0, 200, 600 and 1,400 ms. */
    private static final LockOptions FOUR = LockOptions.defaults().jitter(0);

    private final VirtualLocks virtual = new VirtualLocks();
    private final Waiters waiters = new Waiters(virtual.locks);

    @BeforeEach
    void watched() {
        virtual.store.watching(true);
    }

    @AfterEach
    void realTime() {
        virtual.close();
    }

    @Test
    void foreignReleaseWakes() {
        foreignHolder();
        waiters.waits("key", PATIENT);

        virtual.store.delete("key");

        assertThat(waiters.ends()).containsExactly("1 acquired");
    }

    @Test
    void onlyTheFirstTalksToTheServer() {
        foreignHolder();

        waiters.wait(1_000, "key", PATIENT);
        virtual.pass(HOUR.minusSeconds(1));

        assertThat(virtual.store.commands()).isEqualTo(1);
    }

    @Test
    void theyAreServedInTheOrderInWhichTheyCame() {
        foreignHolder();
        waiters.wait(100, "key", PATIENT);
        virtual.store.delete("key");

        for (int i = 0; i < 99; i++) {
            waiters.release();
            virtual.pass(Duration.ofMillis(10));
        }

        assertThat(waiters.ends()).isEqualTo(IntStream.rangeClosed(1, 100).mapToObj(i -> i + " acquired").toList());
    }

    @Test
    void handingOnCostsOneReleaseAndOneAcquisition() {
        acquireAndWait(50);
        int before = virtual.store.commands();

        for (int i = 0; i < 49; i++) {
            waiters.release();
            virtual.pass(ROUND_TRIP);
        }

        assertThat(waiters.ends()).hasSize(50);
        assertThat(virtual.store.commands() - before).isEqualTo(2 * 49);
    }

    @Test
    void localReleaseIsFollowedByTheNextAttemptAtOnce() {
        acquireAndWait(2);

        waiters.release();
        virtual.pass(ROUND_TRIP);

        assertThat(waiters.ends()).containsExactly("1 acquired", "2 acquired");
    }

    @Test
    void afterARunOfHandingOnOthersGetATurn() {
        acquireAndWait(1_000);
        int pauses = 0;
        for (int i = 1; i < 1_000; i++) {
            waiters.release();
            virtual.pass(ROUND_TRIP);
            if (waiters.ends().size() == i) {
                pauses++;
                assertThat(virtual.store.value("key")).isEmpty();
                virtual.pass(Duration.ofMillis(5));
            }
            assertThat(waiters.ends()).hasSize(i + 1);
        }

        // 256 at first, and twice as many each time that nobody else was there.
        assertThat(pauses).isEqualTo(2);
    }

    @Test
    void runsOfHandingOnAreBoundedInTimeToo() {
        acquireAndWait(3);
        waiters.release();
        virtual.pass(ROUND_TRIP);
        assertThat(waiters.ends()).hasSize(2);
        virtual.pass(Duration.ofMillis(25));

        waiters.release();
        virtual.pass(ROUND_TRIP);

        assertThat(waiters.ends()).hasSize(2);
        virtual.pass(Duration.ofMillis(6));
        assertThat(waiters.ends()).hasSize(3);
    }

    @Test
    void cancelledFirstPassesItsWakeUpOn() {
        foreignHolder();
        Disposable first = waiters.waits("key", PATIENT);
        waiters.wait(2, "key", PATIENT);
        virtual.store.latency(Duration.ofMillis(10));
        virtual.store.delete("key");

        first.dispose(); // its attempt is under way, and will get the lock
        virtual.pass(Duration.ofMillis(100));

        assertThat(waiters.ends()).containsExactly("2 acquired");
    }

    @Test
    void cancelledOnesLeaveAtOnce() {
        foreignHolder();
        List<Disposable> some = IntStream.range(0, 100).mapToObj(i -> waiters.waits("key", PATIENT)).toList();
        waiters.waits("key", PATIENT);

        some.forEach(Disposable::dispose);
        virtual.store.delete("key");

        assertThat(waiters.ends()).containsExactly("101 acquired");
    }

    @Test
    void promotedOneIsNotSentWhileTheServerWatchesTheKey() {
        foreignHolder();
        List<Disposable> some = IntStream.range(0, 100).mapToObj(i -> waiters.waits("key", PATIENT)).toList();
        waiters.waits("key", PATIENT);

        some.forEach(Disposable::dispose);

        assertThat(virtual.store.acquisitions()).isEqualTo(1);
    }

    @Test
    void promotedOneTriesAtOnceWhenTheFirstFailed() {
        foreignHolder();
        waiters.waits("key", FOUR);
        waiters.waits("key", PATIENT);
        virtual.store.faults(Fault.REFUSED);

        virtual.pass(Duration.ofMillis(200));

        assertThat(waiters.ends()).containsExactly("1 LockUnavailableException");
        assertThat(virtual.store.commands()).isEqualTo(3);
    }

    @Test
    void withoutRetriesOneBehindOthersIsBusyAtOnceAndUnsent() {
        foreignHolder();
        waiters.waits("key", PATIENT);

        waiters.waits("key", ONCE);

        assertThat(waiters.ends()).containsExactly("2 busy");
        assertThat(virtual.store.acquisitions()).isEqualTo(1);
    }

    @Test
    void whoComesWhileAnAttemptIsUnderWaySharesItsAnswer() {
        virtual.store.latency(Duration.ofMillis(10));
        waiters.waits("key", ONCE);
        waiters.waits("key", ONCE);
        assertThat(waiters.ends()).isEmpty();

        virtual.pass(Duration.ofMillis(10));

        assertThat(waiters.ends()).containsExactlyInAnyOrder("1 acquired", "2 busy");
    }

    @Test
    void unreachableServerIsNeverReportedAsBusy() {
        virtual.store.faults(Fault.REPLY_LOST);
        waiters.wait(100, "key", ONCE.commandTimeout(SECOND));

        virtual.pass(SECOND);

        assertThat(waiters.ends()).hasSize(100).allMatch(end -> end.endsWith(" LockUnavailableException"));
    }

    @Test
    void schedulesRunOnBehindTheFirst() {
        foreignHolder();
        waiters.waits("key", PATIENT);
        waiters.wait(10, "key", FOUR);

        virtual.pass(Duration.ofMillis(1_399));
        assertThat(waiters.ends()).isEmpty();
        virtual.pass(Duration.ofMillis(1));

        assertThat(waiters.ends()).hasSize(10).allMatch(end -> end.endsWith(" busy"));
        assertThat(virtual.store.acquisitions()).isEqualTo(1);
    }

    @Test
    void boundOfTheWaitHoldsBehindTheFirst() {
        foreignHolder();
        waiters.waits("key", PATIENT);
        waiters.waits("key", LockOptions.defaults().waitAtMost(Duration.ofSeconds(10)));

        virtual.pass(Duration.ofMillis(9_999));
        assertThat(waiters.ends()).isEmpty();
        virtual.pass(Duration.ofMillis(1));

        assertThat(waiters.ends()).containsExactly("2 busy");
    }

    @Test
    void endOfTheHoldersLeaseWakes() {
        virtual.store.put("key", "foreign", Duration.ofSeconds(10));
        waiters.waits("key", PATIENT);

        virtual.pass(Duration.ofMillis(10_001));

        assertThat(waiters.ends()).containsExactly("1 acquired");
        assertThat(virtual.store.acquisitions()).isEqualTo(2);
    }

    @Test
    void keysDoNotWaitForEachOther() {
        foreignHolder();
        waiters.waits("key", PATIENT);

        waiters.waits("another", ONCE);

        assertThat(waiters.ends()).containsExactly("2 acquired");
    }

    /** The first of them has the lock, and the second has been told that it is busy. */
    private void acquireAndWait(int many) {
        virtual.store.latency(ROUND_TRIP);
        waiters.wait(1, "key", PATIENT);
        virtual.pass(ROUND_TRIP);
        waiters.wait(many - 1, "key", PATIENT);
        virtual.pass(ROUND_TRIP);
    }

    private void foreignHolder() {
        virtual.store.put("key", "foreign", HOUR.multipliedBy(10));
    }
}
