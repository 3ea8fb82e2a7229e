package io.redislock.examples.fencedwrites;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a condition, for half a minute at most. */
final class Until {

    private static final long LONGEST = Duration.ofSeconds(30).toNanos();

    private Until() {
    }

    static void so(String what, BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - start).as(what).isLessThan(LONGEST);
            Thread.sleep(10);
        }
    }
}
