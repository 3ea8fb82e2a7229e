package io.redislock.lease;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseClockTest {

    private final LeaseClock system = LeaseClock.system();

    @Test
    void systemReadsTheMonotonicClockOfTheJvm() {
        long before = System.nanoTime();
        long read = system.nanoTime();
        long after = System.nanoTime();

        assertThat(read - before).isNotNegative();
        assertThat(after - read).isNotNegative();
    }

    /** Within a day: a step of this machine's clock in the middle must not fail the build. */
    @Test
    void systemReadsTheWallClockInMilliseconds() {
        assertThat(Math.abs(system.wallMillis() - System.currentTimeMillis())).isLessThan(86_400_000);
    }

    @Test
    void leaseBySystemClockIsOverAfterItsExpiry() throws InterruptedException {
        Validity validity = Validity.ofCommandSentNow(system, Duration.ofMillis(3));
        long start = System.nanoTime();

        while (!validity.isOver(system) && System.nanoTime() - start < 5_000_000_000L) {
            Thread.sleep(1);
        }

        assertThat(validity.isOver(system)).isTrue();
    }
}
