package io.redislock.examples.quickstart;

import java.time.Duration;

/** Tells who did what when, in milliseconds since the beginning. Several threads may tell. */
final class Timeline {

    private final Story story;
    private final long start = System.nanoTime();

    Timeline(Story story) {
        this.story = story;
    }

    /** The time is read under the lock too, so that the lines are in its order. */
    synchronized void tell(String who, String what) {
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        story.tell(String.format("%5d ms  %s %s", millis, who, what));
    }
}
