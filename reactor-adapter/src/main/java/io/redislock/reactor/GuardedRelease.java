package io.redislock.reactor;

import java.time.Duration;

import io.redislock.LockOptions;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.OwnerToken;

/**
 * What is to be released, and how long it is worth trying. Guarded by the owner value, so one too many does no harm.
 *
 * @param lockName the name of this kind of lock, for listeners
 * @param keyLife how long the key may live from now on if it is not released: the limit for trying
 * @param timeout for one try
 * @param copyMayFollow whether a copy of the acquisition may still run on the server later
 */
record GuardedRelease(String lockName, LockKey key, String value, Duration keyLife, Duration timeout,
        boolean copyMayFollow) {

    static GuardedRelease of(LockKey key, OwnerToken token, LockOptions options, boolean copyMayFollow) {
        return new GuardedRelease(options.name(), key, token.value(), options.expiry(), options.commandTimeout(),
                copyMayFollow);
    }

    /** The same for a key that lives this long. */
    GuardedRelease withKeyLife(Duration life) {
        return new GuardedRelease(lockName, key, value, life, timeout, copyMayFollow);
    }

    /** The same when no further copy is expected. */
    GuardedRelease forTheLastTime() {
        return new GuardedRelease(lockName, key, value, keyLife, timeout, false);
    }
}
