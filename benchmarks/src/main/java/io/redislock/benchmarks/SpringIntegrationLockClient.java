package io.redislock.benchmarks;

import java.time.Duration;
import java.util.concurrent.locks.Lock;

import io.lettuce.core.RedisURI;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Spring Integration's registry, in its publish-subscribe mode. Its locks block and belong to a thread, so that each
 * acquisition keeps a thread of its own for as long as it waits and holds.
 */
final class SpringIntegrationLockClient implements LockClient {

    /** The most acquisitions at once. One more would share a thread with another, and with that its lock. */
    static final int MOST_AT_ONCE = 64;

    private final LettuceConnectionFactory connections;
    private final RedisLockRegistry registry;
    private final Scheduler threads = Schedulers.newBoundedElastic(2 * MOST_AT_ONCE, 100_000, "registry", 10, true);

    SpringIntegrationLockClient(RedisURI redis, Duration lease) {
        this.connections = new LettuceConnectionFactory(LettuceConnectionFactory.createRedisConfiguration(redis));
        connections.afterPropertiesSet();
        connections.start();
        this.registry = new RedisLockRegistry(connections, "benchmark:registry", lease.toMillis());
        registry.setRedisLockType(RedisLockRegistry.RedisLockType.PUB_SUB_LOCK);
    }

    @Override
    public Mono<Boolean> cycle(String key) {
        return Mono.fromCallable(() -> {
                    Lock lock = registry.obtain(key);
                    if (!lock.tryLock()) {
                        return false;
                    }
                    lock.unlock();
                    return true;
                })
                .subscribeOn(threads);
    }

    @Override
    public Mono<Grant> acquire(String key) {
        return Mono.create(caller -> {
            Scheduler.Worker thread = threads.createWorker();
            thread.schedule(() -> {
                Lock lock = registry.obtain(key);
                lock.lock();
                caller.success(() -> unlock(lock, thread));
            });
        });
    }

    private static Mono<Boolean> unlock(Lock lock, Scheduler.Worker thread) {
        return Mono.create(done -> thread.schedule(() -> {
            lock.unlock();
            thread.dispose();
            done.success(true);
        }));
    }

    @Override
    public void close() {
        threads.dispose();
        registry.destroy();
        connections.destroy();
    }
}
