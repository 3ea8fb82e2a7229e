package io.redislock.testsupport;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a condition, with a bound. */
final class Poll {

    private static final long EVERY_MILLIS = 10;

    private Poll() {}

    /**
     * Whether the condition became true in time. It is asked at least once.
     *
     * @throws IllegalStateException when the thread is interrupted; it stays interrupted
     */
    static boolean until(Duration within, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > within.toNanos()) {
                return false;
            }
            try {
                Thread.sleep(EVERY_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while waiting", e);
            }
        }
        return true;
    }
}
