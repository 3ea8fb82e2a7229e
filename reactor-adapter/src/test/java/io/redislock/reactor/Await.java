package io.redislock.reactor;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a condition, with a bound. */
final class Await {

    /** Far beyond what anything here takes, also on a busy machine. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final long EVERY_MILLIS = 5;

    private Await() {
    }

    /**
     * Returns when the condition is true, and fails when it does not become so.
     *
     * @param what the condition in words
     */
    static void until(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new AssertionError("Not within " + PATIENCE + ": " + what);
            }
            try {
                Thread.sleep(EVERY_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("Interrupted while waiting: " + what, e);
            }
        }
    }
}
