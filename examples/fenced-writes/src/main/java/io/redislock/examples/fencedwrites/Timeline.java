package io.redislock.examples.fencedwrites;

import java.io.PrintStream;
import java.time.Duration;

/** Prints who did what when, in milliseconds since the first thing that is told. Several threads may tell. */
final class Timeline {

    private final PrintStream out;
    private long start;

    Timeline(PrintStream out) {
        this.out = out;
    }

    /** The time is read under the lock too, so that the lines are in its order. */
    synchronized void tell(String who, String what) {
        if (start == 0) {
            start = System.nanoTime();
        }
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        out.printf("   %5d ms  %s %s%n", millis, who, what);
    }
}
