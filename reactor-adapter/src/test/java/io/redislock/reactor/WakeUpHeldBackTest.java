package io.redislock.reactor;

import java.time.Duration;

import io.redislock.LockOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Wake-ups that lead to nothing are held back for ever longer, which must not cost one who waits much of the time when
 * the lock is free. In virtual time on a store in memory.
 */
class WakeUpHeldBackTest {

    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final LockOptions PATIENT = LockOptions.defaults().retry(3, LongWait.HOUR);

    private final VirtualLocks virtual = new VirtualLocks();
    private final Waiters waiters = new Waiters(virtual.locks);

    @BeforeEach
    void keysAreWatched() {
        virtual.store.watching(true);
    }

    @AfterEach
    void realTime() {
        virtual.close();
    }

    @Test
    void leaseThatEndsInAStormOfNewsIsHadAtItsEnd() {
        virtual.store.put("key", "foreign", Duration.ofMillis(3_300));
        waiters.waits("key", PATIENT);

        storm(Duration.ofMillis(3_300));
        assertThat(waiters.ends()).isEmpty();
        storm(Duration.ofMillis(2));

        assertThat(waiters.ends()).containsExactly("1 acquired");
    }

    @Test
    void lockThatIsReleasedAfterAnHourOfNewsIsHadWithinASecond() {
        virtual.store.put("key", "foreign", LongWait.HOUR.multipliedBy(10));
        waiters.waits("key", PATIENT.retry(3, LongWait.HOUR.multipliedBy(2)));
        storm(LongWait.HOUR);
        assertThat(waiters.ends()).isEmpty();

        virtual.store.delete("key");
        virtual.pass(Duration.ofSeconds(1));

        assertThat(waiters.ends()).containsExactly("1 acquired");
    }

    @Test
    void anHourOfNewsIsAnAttemptASecond() {
        virtual.store.put("key", "foreign", LongWait.HOUR.multipliedBy(10));
        waiters.waits("key", PATIENT.retry(3, LongWait.HOUR.multipliedBy(2)));

        storm(LongWait.HOUR);

        assertThat(virtual.store.acquisitions()).isBetween(3_500, 3_620);
    }

    /** Every key that was read is said to have changed, each millisecond. */
    private void storm(Duration duration) {
        for (long i = 0; i < duration.toMillis(); i++) {
            virtual.store.push("key");
            virtual.pass(MILLISECOND);
        }
    }
}
