package io.redislock.lease;

import java.time.Duration;
import java.util.Objects;

/**
 * What counts as an expiry: whole milliseconds, as Redis counts them, of which at least one, and few enough to be
 * counted in nanoseconds (292 years).
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
        Objects.requireNonNull(expiry, argument);
        if (expiry.isNegative() || expiry.isZero()) {
            throw new IllegalArgumentException(argument + " must be positive: " + expiry);
        }
        requireCountable(argument, expiry);
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

    /** Refuses a duration that has no count in nanoseconds. */
    public static void requireCountable(String argument, Duration value) {
        try {
            value.toNanos();
        } catch (ArithmeticException overflow) {
            throw new IllegalArgumentException(argument + " overflows, 292 years are the most: " + value, overflow);
        }
    }
}
