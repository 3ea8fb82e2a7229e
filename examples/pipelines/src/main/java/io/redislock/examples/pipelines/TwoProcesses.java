package io.redislock.examples.pipelines;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.reactive.RedisReactiveCommands;
import io.redislock.reactor.ReactiveRedisLocks;

/**
 * Two processes as Redis sees them: two clients, each with locks of its own. A real process has one of each. The keys
 * of locks begin with {@code lock:}; the application's own data, to which {@link #redis()} leads, has other keys.
 */
final class TwoProcesses implements AutoCloseable {

    private final LockEvents events = new LockEvents();
    private final RedisClient clientOfA;
    private final RedisClient clientOfB;
    private final ReactiveRedisLocks a;
    private final ReactiveRedisLocks b;
    private final RedisReactiveCommands<String, String> redis;

    /** Connects, and blocks for it. */
    TwoProcesses(String uri) {
        clientOfA = RedisClient.create(uri);
        clientOfB = RedisClient.create(uri);
        try {
            a = locks(clientOfA);
            b = locks(clientOfB);
            redis = clientOfA.connect().reactive();
        } catch (RuntimeException unreachable) {
            shutDown();
            throw unreachable;
        }
    }

    private ReactiveRedisLocks locks(RedisClient client) {
        return ReactiveRedisLocks.builder(client).keyPrefix("lock:").listener(events).build();
    }

    ReactiveRedisLocks a() {
        return a;
    }

    ReactiveRedisLocks b() {
        return b;
    }

    /** What happens to the locks of both. */
    LockEvents events() {
        return events;
    }

    RedisReactiveCommands<String, String> redis() {
        return redis;
    }

    /** Releases what is held, and disconnects. Blocks until that is done. */
    @Override
    public void close() {
        a.close().then(b.close()).block();
        shutDown();
    }

    private void shutDown() {
        clientOfA.close();
        clientOfB.close();
    }
}
