package io.redislock.benchmarks;

import java.time.Duration;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.redislock.LockOptions;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.reactor.RedisLock;
import reactor.core.publisher.Mono;

/** This library, with its default options but for the lease and how long a caller waits. */
final class ReactiveRedisLockClient implements LockClient {

    private final LockOptions once;
    private final LockOptions patient;
    private final RedisClient client;
    private final ReactiveRedisLocks locks;

    ReactiveRedisLockClient(RedisURI redis, Duration lease) {
        this.once = LockOptions.defaults().expiry(lease).waitAtMost(Duration.ZERO);
        this.patient = LockOptions.defaults().expiry(lease).waitAtMost(Duration.ofHours(1));
        this.client = RedisClient.create(redis);
        this.locks = ReactiveRedisLocks.create(client);
    }

    @Override
    public Mono<Boolean> cycle(String key) {
        return locks.acquire(key, once).flatMap(RedisLock::release);
    }

    @Override
    public Mono<Grant> acquire(String key) {
        return locks.acquire(key, patient).map(lock -> lock::release);
    }

    @Override
    public void close() {
        locks.close().block(Duration.ofSeconds(20));
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
