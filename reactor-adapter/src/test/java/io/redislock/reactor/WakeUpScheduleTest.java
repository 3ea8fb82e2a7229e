package io.redislock.reactor;

import java.time.Duration;

import io.redislock.LockOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What wake-ups do to the schedules of those who are woken, in virtual time on a store in memory. */
class WakeUpScheduleTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    /** Attempts at 0, 200, 600 and 1,400 ms. */
    private static final LockOptions FOUR = LockOptions.defaults().jitter(0);
    private static final LockOptions PATIENT = LockOptions.defaults().retry(3, HOUR).jitter(0);

    private final VirtualLocks virtual = new VirtualLocks();
    private final Waiters waiters = new Waiters(virtual.locks);

    @AfterEach
    void realTime() {
        virtual.close();
    }

    @Test
    void retriesEndOnTimeUnderAStormOfWakeUps() {
        virtual.store.watching(true);
        foreignHolder();
        waiters.waits("key", FOUR);

        storm(Duration.ofMillis(1_399));
        assertThat(waiters.ends()).isEmpty();
        storm(MILLISECOND);

        assertThat(waiters.ends()).containsExactly("1 busy");
    }

    @Test
    void boundOfTheWaitHoldsUnderAStormOfWakeUps() {
        virtual.store.watching(true);
        foreignHolder();
        waiters.waits("key", LockOptions.defaults().waitAtMost(Duration.ofSeconds(3)));

        storm(Duration.ofMillis(2_999));
        assertThat(waiters.ends()).isEmpty();
        storm(MILLISECOND);

        assertThat(waiters.ends()).containsExactly("1 busy");
    }

    @Test
    void pushesThatMeanNothingLeadToFewAttempts() {
        virtual.store.watching(true);
        foreignHolder();
        waiters.wait(100, "key", LockOptions.defaults().waitAtMost(Duration.ofMinutes(1)));

        storm(Duration.ofSeconds(2));

        assertThat(virtual.store.acquisitions()).isBetween(10, 40);
    }

    /** Each holder is another, so each push is worth a look; still they have a gap. */
    @Test
    void lockThatOthersHandAroundLeadsToAnAttemptEveryOtherMillisecondAtMost() {
        virtual.store.watching(true);
        foreignHolder();
        waiters.waits("key", PATIENT);

        for (int i = 0; i < 1_000; i++) {
            virtual.store.put("key", "foreign " + i, HOUR);
            virtual.pass(MILLISECOND);
        }

        assertThat(virtual.store.acquisitions()).isBetween(100, 502);
    }

    @Test
    void wakeUpUsesUpNoRetry() {
        virtual.store.watching(true);
        foreignHolder();
        waiters.waits("key", FOUR);
        for (int i = 0; i < 10; i++) {
            virtual.store.put("key", "foreign", HOUR);
            virtual.pass(Duration.ofMillis(100));
        }
        assertThat(waiters.ends()).isEmpty();

        virtual.store.delete("key");

        assertThat(waiters.ends()).containsExactly("1 acquired");
    }

    @Test
    void changeWhileAnAttemptIsUnderWayLeadsToAnother() {
        virtual.store.watching(true);
        foreignHolder();
        virtual.store.latency(Duration.ofMillis(10));
        waiters.waits("key", PATIENT);

        virtual.store.delete("key"); // the attempt has run, and its answer, busy, is on its way
        virtual.pass(Duration.ofMillis(22));

        assertThat(waiters.ends()).containsExactly("1 acquired");
    }

    @Test
    void everybodyTriesWhenKeysAreWatchedAgain() {
        virtual.store.watching(true);
        foreignHolder();
        waiters.waits("key", PATIENT);
        virtual.store.watching(false);
        virtual.store.delete("key"); // unseen
        virtual.pass(Duration.ofSeconds(10));
        assertThat(waiters.ends()).isEmpty();

        virtual.store.watching(true);

        assertThat(waiters.ends()).containsExactly("1 acquired");
    }

    @Test
    void oneAloneKeepsToItsScheduleWhereKeysAreNotWatched() {
        foreignHolder();
        waiters.waits("key", FOUR);

        virtual.pass(Duration.ofMillis(1_400));

        assertThat(virtual.store.acquisitions()).isEqualTo(4);
    }

    @Test
    void manyPollLikeOneWithTheShortestDelayWhereKeysAreNotWatched() {
        foreignHolder();
        waiters.waits("key", LockOptions.defaults().retry(1_000, HOUR));
        waiters.wait(100, "key", LockOptions.defaults().waitAtMost(HOUR));

        virtual.pass(Duration.ofSeconds(20));

        // Every 200 ms, up to a quarter more or less.
        assertThat(virtual.store.acquisitions()).isBetween(80, 134);
    }

    @Test
    void lockIsHadWithinADelayWhereKeysAreNotWatched() {
        foreignHolder();
        waiters.waits("key", PATIENT);
        waiters.waits("key", LockOptions.defaults().waitAtMost(HOUR));
        virtual.pass(Duration.ofSeconds(20));

        virtual.store.delete("key");
        virtual.pass(Duration.ofMillis(250));

        assertThat(waiters.ends()).containsExactly("1 acquired");
    }

    @Test
    void pollingBeginsWhenKeysAreWatchedNoMore() {
        virtual.store.watching(true);
        foreignHolder();
        waiters.waits("key", PATIENT);
        waiters.waits("key", LockOptions.defaults().waitAtMost(HOUR));
        virtual.pass(Duration.ofSeconds(20));
        int before = virtual.store.acquisitions();

        virtual.store.watching(false);
        virtual.pass(Duration.ofSeconds(2));

        assertThat(virtual.store.acquisitions() - before).isBetween(8, 14);
    }

    /** Who is not told that it was deleted must find out, whoever holds it by his own clock. */
    @Test
    void lockThatIsTakenFromAHolderOfThisProcessIsHadWithinADelayWhereKeysAreNotWatched() {
        LockOptions polling = LockOptions.defaults().expiry(HOUR).jitter(0);
        foreignHolder();
        waiters.waits("key", polling.retry(1_000, Duration.ofMillis(200)).maxRetryDelay(Duration.ofMillis(200)));
        waiters.waits("key", polling.waitAtMost(Duration.ofSeconds(30)));
        virtual.store.delete("key");
        virtual.pass(Duration.ofSeconds(1));
        assertThat(waiters.ends()).containsExactly("1 acquired");

        virtual.store.delete("key");
        virtual.pass(Duration.ofSeconds(4));

        assertThat(waiters.ends()).containsExactly("1 acquired", "2 acquired");
    }

    @Test
    void newsThatAreHeldBackCountAlsoWhenKeysAreWatchedNoMore() {
        virtual.store.watching(true);
        foreignHolder();
        waiters.waits("key", PATIENT);
        virtual.store.put("key", "another", HOUR.multipliedBy(5));
        virtual.pass(Duration.ofMillis(10));
        virtual.store.put("key", "another", HOUR.multipliedBy(5));
        virtual.store.delete("key");
        assertThat(waiters.ends()).isEmpty();

        virtual.store.watching(false);
        virtual.pass(Duration.ofSeconds(1));

        assertThat(waiters.ends()).containsExactly("1 acquired");
    }

    /** Every key that was read is said to have changed, each millisecond. */
    private void storm(Duration duration) {
        for (long i = 0; i < duration.toMillis(); i++) {
            virtual.store.push("key");
            virtual.pass(MILLISECOND);
        }
    }

    private void foreignHolder() {
        virtual.store.put("key", "foreign", HOUR.multipliedBy(10));
    }
}
