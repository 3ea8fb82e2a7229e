package io.redislock.reactor;

import java.time.Duration;

/**
 * How long a process hands a lock on among its own callers before it steps back for the others. Not thread-safe.
 *
 * <p>Handing on within a process costs one round trip and no wait, so without a bound the other processes would never
 * get the lock. While nobody else shows up in the pauses, the runs become longer, so that pausing costs little.
 */
final class LocalRun {

    private static final Duration SHORTEST = Duration.ofMillis(20);
    private static final int SHORTEST_COUNT = 256;
    /** So many times longer when nobody else was there. */
    private static final int LONGEST_FACTOR = 8;
    /** For a push to arrive, which may be held back by {@link WakePace}, and an attempt to come back. */
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);
    private static final int ROUND_TRIPS_PER_PAUSE = 3;

    private int factor = 1;
    private long startNanos;
    private int handedOn;

    /** The lock was acquired in competition with the other processes. */
    void begin(long nowNanos) {
        startNanos = nowNanos;
        handedOn = 0;
    }

    /** The lock was handed on within the process. */
    void handedOn() {
        handedOn++;
    }

    boolean mayGoOn(long nowNanos) {
        return handedOn < factor * SHORTEST_COUNT && nowNanos - startNanos < factor * SHORTEST.toNanos();
    }

    /** After a pause nobody else held the lock. */
    void nobodyElse() {
        factor = Math.min(LONGEST_FACTOR, 2 * factor);
    }

    /** Another process held the lock. */
    void somebodyElse() {
        factor = 1;
    }

    static long pauseNanos(long roundTripNanos) {
        return Math.min(LONGEST_PAUSE.toNanos(),
                Math.max(SHORTEST_PAUSE.toNanos(), ROUND_TRIPS_PER_PAUSE * roundTripNanos));
    }
}
