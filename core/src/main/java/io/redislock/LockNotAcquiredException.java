package io.redislock;

import java.time.Duration;
import java.util.Optional;

import io.redislock.protocol.WireText;
import org.jspecify.annotations.Nullable;

/**
 * No attempt got the lock: another owner held it, or the reply came so late that the lease could no longer be believed.
 * An everyday outcome, so it carries no stack trace.
 */
public final class LockNotAcquiredException extends RedisLockException {

    private static final long serialVersionUID = 1L;

    private final long attempts;
    private final Duration waited;
    private final @Nullable Duration holderRemaining;

    /**
     * @param key the key as the caller gave it
     * @param attempts how many attempts there were, at least 1
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

    /**
     * How many attempts there were: by schedule, also those that fell due behind others of the same process and were
     * not sent, and those in between because the lock may have become free. So there can be more than retries and one.
     */
    public long attempts() {
        return attempts;
    }

    /** The time from the subscription to the last answer. */
    public Duration waited() {
        return waited;
    }

    /**
     * The holder's time to live in the last answer to anybody in this process. Empty when the holder's key has no
     * expiry, or the last answer was no "busy". The holder may release earlier, or extend.
     */
    public Optional<Duration> holderRemaining() {
        return Optional.ofNullable(holderRemaining);
    }

    private static String message(String key, long attempts, Duration waited, @Nullable Duration holderRemaining) {
        return "The lock " + WireText.shown(key) + " was not acquired: busy through " + attempts
                + (attempts == 1 ? " attempt in " : " attempts in ") + waited.toMillis() + " ms"
                + (holderRemaining == null ? "" : "; the holder's lease has " + holderRemaining.toMillis()
                        + " ms left unless it is extended");
    }
}
