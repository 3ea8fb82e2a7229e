package io.redislock.protocol;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The answer to {@link LockScript#ACQUIRE} and {@link LockScript#ACQUIRE_FENCED}.
 *
 * @param acquired whether the key now holds our token
 * @param holderRemaining the holder's time to live when it is busy; {@code null} when its key has no expiry
 * @param fencingToken {@link #NO_FENCING_TOKEN} when busy, or when none was asked for
 */
public record AcquireReply(boolean acquired, @Nullable Duration holderRemaining, long fencingToken) {

    /** In place of a fencing token, which is positive. */
    public static final long NO_FENCING_TOKEN = 0;

    public AcquireReply {
        if (acquired && holderRemaining != null) {
            throw new IllegalArgumentException("An acquired key has no other holder: " + holderRemaining);
        }
        if (!acquired && fencingToken != NO_FENCING_TOKEN) {
            throw new IllegalArgumentException("Only an acquired key has a fencing token: " + fencingToken);
        }
    }

    /** The key now holds our token, and no fencing token was asked for. */
    public static final AcquireReply ACQUIRED = new AcquireReply(true, null, NO_FENCING_TOKEN);

    /** What the script answers for {@link #ACQUIRED}: below anything that PTTL answers. */
    private static final long ACQUIRED_ON_THE_WIRE = -3;

    /** The key now holds our token. */
    public static AcquireReply fenced(long fencingToken) {
        return new AcquireReply(true, null, FencingTokens.require("fencingToken", fencingToken));
    }

    /** Held by another owner, for this long unless extended; {@code null} when its key has no expiry. */
    public static AcquireReply busy(@Nullable Duration holderRemaining) {
        return new AcquireReply(false, holderRemaining, NO_FENCING_TOKEN);
    }

    /**
     * @param answer -3 when acquired; below that the fencing token, negated; else the holder's PTTL: milliseconds, or
     *     -1 without expiry
     */
    public static AcquireReply parse(long answer) {
        if (answer >= -1) {
            return busy(answer == -1 ? null : Duration.ofMillis(answer));
        }
        if (answer == ACQUIRED_ON_THE_WIRE) {
            return ACQUIRED;
        }
        if (answer > ACQUIRED_ON_THE_WIRE || answer < -FencingTokens.MAX) {
            throw new IllegalArgumentException("No answer of the acquire script: " + answer);
        }
        return fenced(-answer);
    }
}
