package io.redislock;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Another owner held the lock through the last attempt. An everyday outcome, so it carries no stack trace.
 */
public final class LockNotAcquiredException extends RedisLockException {

    private static final long serialVersionUID = 1L;

    private final long attempts;
    private final Duration waited;
    private final @Nullable Duration holderRemaining;

    /**
     * @param key the key as the caller gave it
     * @param attempts how many times the lock was asked for, at least 1
     * @param waited time from the subscription to the last answer
     * @param holderRemaining the holder's time to live in the last answer, {@code null} when its key has no expiry or
     *     no answer told
     */
    public LockNotAcquiredException(String key, long attempts, Duration waited, @Nullable Duration holderRemaining) {
        super(key, message(key, attempts, waited, holderRemaining), null, false);
        this.attempts = attempts;
        this.waited = waited;
        this.holderRemaining = holderRemaining;
    }

    /** How many times the lock was asked for. */
    public long attempts() {
        return attempts;
    }

    /** The time from the subscription to the last answer. */
    public Duration waited() {
        return waited;
    }

    /**
     * The holder's time to live when it was last seen. Empty when the holder's key has no expiry. The holder may
     * release earlier, or extend.
     */
    public Optional<Duration> holderRemaining() {
        return Optional.ofNullable(holderRemaining);
    }

    private static String message(String key, long attempts, Duration waited, @Nullable Duration holderRemaining) {
        return "The lock \"" + key + "\" is held by another owner: not acquired after " + attempts
                + (attempts == 1 ? " attempt in " : " attempts in ") + waited.toMillis() + " ms"
                + (holderRemaining == null
                        ? "; the holder's key has no expiry"
                        : "; the holder's lease has " + holderRemaining.toMillis() + " ms left unless it is extended");
    }
}
