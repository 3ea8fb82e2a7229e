package io.redislock.examples.webflux;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a condition, with a bound. */
final class Await {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final long EVERY_MILLIS = 10;

    private Await() {
    }

    static void until(String what, BooleanSupplier condition) {
        within(BOUND, what, condition);
    }

    static void within(Duration bound, String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > bound.toNanos()) {
                throw new AssertionError("Not within " + bound.toSeconds() + " s: " + what);
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
