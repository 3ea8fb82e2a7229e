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
    private long lastNanos;
    private int handedOn;
    private long othersSince;

    /** The lock was acquired in competition with the other processes. */
    void begin(long nowNanos) {
        startNanos = nowNanos;
        lastNanos = nowNanos;
        handedOn = 0;
        othersSince = 0;
    }

    /** The lock was handed on within the process. */
    void handedOn(long nowNanos) {
        lastNanos = nowNanos;
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

    /** Another process held the lock, and not for the lease that was seen before. */
    void anotherHolder() {
        othersSince++;
    }

    /**
     * How long to let others go first when the lock becomes free. Pushes reach processes in the same order each time,
     * so without this the first two would hand the lock to and fro between them. The pause is halved with each turn
     * that others may have had since this process had the lock, so who has waited longest goes first.
     */
    long giveWayNanos(long nowNanos, long roundTripNanos) {
        if (othersSince == 0) {
            return 0;
        }
        long turns = Math.min(othersSince, (nowNanos - lastNanos) / SHORTEST.toNanos());
        return turns >= Long.SIZE ? 0 : pauseNanos(roundTripNanos) >> turns;
    }

    static long pauseNanos(long roundTripNanos) {
        return Math.min(LONGEST_PAUSE.toNanos(),
                Math.max(SHORTEST_PAUSE.toNanos(), ROUND_TRIPS_PER_PAUSE * roundTripNanos));
    }
}
