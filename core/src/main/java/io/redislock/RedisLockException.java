package io.redislock;

import org.jspecify.annotations.Nullable;

/**
 * What every error of this library has in common: the key it is about.
 *
 * <p>The subclasses are the distinct outcomes a caller treats differently: somebody else holds the lock
 * ({@link LockNotAcquiredException}), Redis could not say ({@link LockUnavailableException}), or the lock was lost
 * while it was held ({@link LockLostException}).
 */
public sealed abstract class RedisLockException extends RuntimeException
        permits LockNotAcquiredException, LockLostException, LockUnavailableException {

    private static final long serialVersionUID = 1L;

    private final String key;

    RedisLockException(String key, String message, @Nullable Throwable cause, boolean withStackTrace) {
        super(message, cause, true, withStackTrace);
        this.key = key;
    }

    /** The key of the lock as the caller gave it, without a configured prefix. */
    public String key() {
        return key;
    }
}
