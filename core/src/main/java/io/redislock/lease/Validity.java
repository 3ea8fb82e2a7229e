package io.redislock.lease;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long a lease may be believed without asking Redis. Immutable.
 *
 * <pre>
 *   command sent                     local deadline   drift   server expires the key
 *        |---- travel ----|               |             |              |
 *        t0               server sets PX  t0 + expiry - drift   t0 + expiry   t0 + travel + expiry
 * </pre>
 *
 * <p>The count starts at the moment <em>before</em> the command was sent, so travel and queueing only make it end
 * earlier than on the server. The drift, 1 % of the expiry and 2 ms, is the allowance for clocks that run at different
 * speeds and for the millisecond granularity of expiry in Redis; it is that of the Redlock algorithm ("Distributed
 * Locks with Redis", redis.io).
 *
 * <p>A monotonic clock stands still while a virtual machine is suspended and the server's clock does not. So validity
 * also ends when the local wall clock has moved as far since the command was sent. The wall clock can only end a
 * validity, never prolong one: when it is stepped back, the monotonic clock decides alone. It counts whole
 * milliseconds, so it is given one more, lest it cut a lease short in normal running.
 */
public final class Validity {

    private static final long FIXED_DRIFT_NANOS = Duration.ofMillis(2).toNanos();
    /** Between two readings of a clock of whole milliseconds up to one less has passed than their difference says. */
    private static final long WALL_GRANULARITY_MILLIS = 1;

    private final long deadlineNanos;
    private final long wallDeadlineMillis;

    private Validity(long deadlineNanos, long wallDeadlineMillis) {
        this.deadlineNanos = deadlineNanos;
        this.wallDeadlineMillis = wallDeadlineMillis;
    }

    /**
     * The validity that a command sent now gives if it succeeds.
     *
     * @param clock read now, so call it before the command is sent
     * @param expiry what the command asks for
     */
    public static Validity ofCommandSentNow(LeaseClock clock, Duration expiry) {
        long allowed = allowedNanos(expiry);
        return new Validity(clock.nanoTime() + allowed,
                clock.wallMillis() + wholeMillis(allowed) + WALL_GRANULARITY_MILLIS);
    }

    /** Whether the lease must no longer be believed. */
    public boolean isOver(LeaseClock clock) {
        return remainingNanos(clock) <= 0;
    }

    /** What is left, zero when it is over. */
    public Duration remaining(LeaseClock clock) {
        return Duration.ofNanos(Math.max(0, remainingNanos(clock)));
    }

    /** The one of the two that now has more left. */
    public Validity later(Validity other, LeaseClock clock) {
        long nanos = clock.nanoTime();
        long wallMillis = clock.wallMillis();
        return other.remainingNanos(nanos, wallMillis) > remainingNanos(nanos, wallMillis) ? other : this;
    }

    private long remainingNanos(LeaseClock clock) {
        return remainingNanos(clock.nanoTime(), clock.wallMillis());
    }

    private long remainingNanos(long nowNanos, long nowWallMillis) {
        long monotonic = deadlineNanos - nowNanos;
        long wallMillis = wallDeadlineMillis - nowWallMillis;
        return wallMillis <= 0 ? 0 : Math.min(monotonic, TimeUnit.MILLISECONDS.toNanos(wallMillis));
    }

    /** Rounded up. */
    private static long wholeMillis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos) + (nanos % 1_000_000 == 0 ? 0 : 1);
    }

    /** The expiry less the drift, in nanoseconds; not positive when the drift eats all of it. */
    static long allowedNanos(Duration expiry) {
        long nanos = expiry.toNanos();
        return nanos - nanos / 100 - FIXED_DRIFT_NANOS;
    }
}
