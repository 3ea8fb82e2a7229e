package io.redislock.reactor;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How soon after a fruitless attempt the next wake-up may lead to another. Not thread-safe.
 *
 * <p>A wake-up says only "changed". When others hand a lock around, that is worth a look every few milliseconds. When
 * the same holder is still there, as after a push of a server whose table of watched keys overflows, the gap doubles.
 * So the wake-ups within one delay of a schedule are few, whatever the server pushes.
 */
final class WakePace {

    private static final long SHORTEST_GAP_NANOS = Duration.ofMillis(2).toNanos();
    private static final long LONGEST_GAP_AT_LEAST_NANOS = Duration.ofMillis(50).toNanos();
    /** So late may the one news that matters be noticed among many that do not. */
    private static final long LONGEST_GAP_AT_MOST_NANOS = Duration.ofSeconds(1).toNanos();
    /** An end of the holder's lease that moved by less is the same end: PTTL counts whole milliseconds. */
    private static final long SAME_END_NANOS = Duration.ofMillis(2).toNanos();

    private final long longestGapNanos;
    private boolean seenBusy;
    private @Nullable Long endNanos;
    private long lastNanos;
    private long gapNanos;

    /** @param delay the first delay of the schedule: the gap grows to a half of it, within 50 ms and a second */
    WakePace(Duration delay) {
        this.longestGapNanos = Math.min(LONGEST_GAP_AT_MOST_NANOS,
                Math.max(LONGEST_GAP_AT_LEAST_NANOS, delay.dividedBy(2).toNanos()));
    }

    /** How long the next wake-up must be held back. */
    long gapLeft(long nowNanos) {
        return seenBusy ? Math.max(0, gapNanos - (nowNanos - lastNanos)) : 0;
    }

    /**
     * An attempt was fruitless.
     *
     * @param holderEndNanos when the holder's lease ends; {@code null} when it has no end
     * @param woken whether the attempt was due to a wake-up
     * @return whether the holder is another one than the last time
     */
    boolean busy(long nowNanos, @Nullable Long holderEndNanos, boolean woken) {
        boolean another = !seenBusy || !sameEnd(holderEndNanos);
        if (another) {
            gapNanos = woken ? SHORTEST_GAP_NANOS : 0;
        } else if (woken) {
            gapNanos = Math.max(SHORTEST_GAP_NANOS, Math.min(longestGapNanos, 2 * gapNanos));
        }
        seenBusy = true;
        endNanos = holderEndNanos;
        lastNanos = nowNanos;
        return another;
    }

    private boolean sameEnd(@Nullable Long other) {
        Long known = endNanos;
        return known == null || other == null ? known == other : Math.abs(known - other) <= SAME_END_NANOS;
    }
}
