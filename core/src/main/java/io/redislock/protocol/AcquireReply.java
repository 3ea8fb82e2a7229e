package io.redislock.protocol;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The answer to {@link LockScript#ACQUIRE}.
 *
 * @param acquired whether the key now holds our token
 * @param holderRemaining the holder's time to live when it is busy; {@code null} when its key has no expiry
 */
public record AcquireReply(boolean acquired, @Nullable Duration holderRemaining) {

    public AcquireReply {
        if (acquired && holderRemaining != null) {
            throw new IllegalArgumentException("An acquired key has no other holder: " + holderRemaining);
        }
    }

    /** The key now holds our token. */
    public static final AcquireReply ACQUIRED = new AcquireReply(true, null);

    /** What the script answers for {@link #ACQUIRED}: below anything that PTTL answers. */
    private static final long ACQUIRED_ON_THE_WIRE = -3;

    /** Held by another owner, for this long unless extended; {@code null} when its key has no expiry. */
    public static AcquireReply busy(@Nullable Duration holderRemaining) {
        return new AcquireReply(false, holderRemaining);
    }

    /**
     * @param answer -3 when acquired, else the holder's PTTL: milliseconds, or -1 without expiry
     */
    public static AcquireReply parse(long answer) {
        if (answer == ACQUIRED_ON_THE_WIRE) {
            return ACQUIRED;
        }
        if (answer < -1) {
            throw new IllegalArgumentException("No answer of the acquire script: " + answer);
        }
        return busy(answer == -1 ? null : Duration.ofMillis(answer));
    }
}
