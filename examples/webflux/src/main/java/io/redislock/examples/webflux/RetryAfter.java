package io.redislock.examples.webflux;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When a refused client may ask again: not before the lease that it met can have ended, not all at the same moment, and
 * not in an hour because somebody's lease is long.
 *
 * <pre>
 *   remaining lease    0 s .. 1 s    5.2 s     20 s or more
 *   Retry-After        1 to 2        6 to 9    20 to 30
 * </pre>
 */
final class RetryAfter {

    private static final long LONGEST_BASE = 20;

    private RetryAfter() {
    }

    /** Whole seconds, as the header has them: the wait rounded up, within bounds, and up to half of it more. */
    static long seconds(Duration wait) {
        long base = Math.max(1, Math.min(LONGEST_BASE, wait.plusNanos(999_999_999).toSeconds()));
        return base + ThreadLocalRandom.current().nextLong(Math.max(1, base / 2) + 1);
    }
}
