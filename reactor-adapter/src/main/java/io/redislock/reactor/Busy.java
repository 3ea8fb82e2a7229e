package io.redislock.reactor;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/** An attempt that did not get the lock. Makes {@code Retry} go round; never leaves the library. */
final class Busy extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final @Nullable Duration holderRemaining;

    /** @param holderRemaining the holder's time to live, {@code null} when it has none or nobody knows */
    Busy(@Nullable Duration holderRemaining) {
        super("busy", null, false, false);
        this.holderRemaining = holderRemaining;
    }

    @Nullable Duration holderRemaining() {
        return holderRemaining;
    }
}
