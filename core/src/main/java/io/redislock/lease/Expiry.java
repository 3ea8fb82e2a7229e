package io.redislock.lease;

import java.time.Duration;
import java.util.Objects;

/**
 * What counts as an expiry, and as any other duration that is asked for: few enough to be counted in nanoseconds (292
 * years). An expiry is whole milliseconds, as Redis counts them, of which at least one.
 */
public final class Expiry {

    private Expiry() {
    }

    /**
     * An expiry on the wire, where one millisecond is enough.
     *
     * @param argument the caller's name for it, for the message
     * @return the same in whole milliseconds
     */
    public static Duration onTheWire(String argument, Duration expiry) {
        positive(argument, expiry);
        if (expiry.toMillis() == 0) {
            throw new IllegalArgumentException(argument + " must be at least one millisecond: " + expiry);
        }
        return Duration.ofMillis(expiry.toMillis());
    }

    /**
     * The expiry of a lease that is believed locally, so something must be left after the drift allowance.
     *
     * @param argument the caller's name for it, for the message
     * @return the same in whole milliseconds
     */
    public static Duration ofLease(String argument, Duration expiry) {
        Duration whole = onTheWire(argument, expiry);
        if (Validity.allowedNanos(whole) <= 0) {
            throw new IllegalArgumentException(argument
                    + " must be at least 3 ms, because 2 ms and 1 % are kept back for clock drift: " + expiry);
        }
        return whole;
    }

    /**
     * Any time that something may take: positive, and countable in nanoseconds.
     *
     * @param argument the caller's name for it, for the message
     * @return the same
     */
    public static Duration positive(String argument, Duration value) {
        Objects.requireNonNull(value, argument);
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(argument + " must be positive: " + value);
        }
        requireCountable(argument, value);
        return value;
    }

    /** Refuses a duration that has no count in nanoseconds. */
    public static void requireCountable(String argument, Duration value) {
        try {
            value.toNanos();
        } catch (ArithmeticException overflow) {
            throw new IllegalArgumentException(argument + " overflows, 292 years are the most: " + value, overflow);
        }
    }
}
