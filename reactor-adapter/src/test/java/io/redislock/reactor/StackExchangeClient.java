package io.redislock.reactor;

import java.time.Duration;

import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;

/**
 * What StackExchange.Redis sends for its lock methods, on a connection of its own: a transaction there is a WATCH, a
 * look at the value, and the change between MULTI and EXEC. Whole seconds go out as seconds.
 */
final class StackExchangeClient {

    private final RedisCommands<String, String> redis;

    StackExchangeClient(RedisCommands<String, String> redis) {
        this.redis = redis;
    }

    boolean lockTake(String key, String value, Duration expiry) {
        SetArgs args = expiry.toMillis() % 1000 == 0
                ? SetArgs.Builder.nx().ex(expiry.toSeconds())
                : SetArgs.Builder.nx().px(expiry.toMillis());
        return "OK".equals(redis.set(key, value, args));
    }

    String lockQuery(String key) {
        return redis.get(key);
    }

    boolean lockRelease(String key, String value) {
        return lockRelease(key, value, () -> { });
    }

    /** @param meanwhile runs after the look at the value and before the deletion */
    boolean lockRelease(String key, String value, Runnable meanwhile) {
        return ifEqual(key, value, meanwhile, () -> redis.del(key));
    }

    boolean lockExtend(String key, String value, Duration expiry) {
        return ifEqual(key, value, () -> { }, () -> {
            if (expiry.toMillis() % 1000 == 0) {
                redis.expire(key, expiry.toSeconds());
            } else {
                redis.pexpire(key, expiry.toMillis());
            }
        });
    }

    private boolean ifEqual(String key, String value, Runnable meanwhile, Runnable change) {
        redis.watch(key);
        boolean equal = value.equals(redis.get(key));
        meanwhile.run();
        if (!equal) {
            redis.unwatch();
            return false;
        }
        redis.multi();
        change.run();
        return !redis.exec().wasDiscarded();
    }
}
