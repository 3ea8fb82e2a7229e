package io.redislock.reactor;

import java.io.IOException;
import java.time.Duration;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.redislock.LockOptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The main class of a process that takes a fenced lock again and again, by several callers at once, and appends each
 * token to a list while it holds the lock: so the list is in the order of the holders.
 */
final class FencingWorker {

    private static final LockOptions FENCED = LockOptions.defaults().expiry(Duration.ofMinutes(1))
            .commandTimeout(Duration.ofMinutes(1)).waitAtMost(Duration.ofMinutes(30)).fenced();
    private static final int CALLERS = 16;

    private FencingWorker() {
    }

    /** Takes the URI of the server, the key, the list, and how many locks to take. */
    public static void main(String... args) throws IOException {
        RedisClient client = RedisClient.create(args[0]);
        ReactiveRedisLocks locks = ReactiveRedisLocks.create(client);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            Flux.range(0, Integer.parseInt(args[3]))
                    .flatMap(round -> locks.withLock(args[1], FENCED, lock -> connection.reactive()
                            .rpush(args[2], Long.toString(lock.fencingToken().getAsLong()))), CALLERS)
                    .blockLast();
        }
        locks.close().block(Await.PATIENCE);
        client.shutdown();
    }
}
