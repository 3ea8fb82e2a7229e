package io.redislock.benchmarks;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.lettuce.core.RedisURI;
import org.redisson.Redisson;
import org.redisson.api.RLockReactive;
import org.redisson.api.RedissonClient;
import org.redisson.api.RedissonReactiveClient;
import org.redisson.config.Config;
import reactor.core.publisher.Mono;

/**
 * Redisson's reactive lock, with its default settings but for the threads and the subscriptions. The owner is a number
 * instead of a thread, and the lease is given, so that its watchdog has nothing to do.
 */
final class RedissonLockClient implements LockClient {

    private final AtomicLong owners = new AtomicLong();
    private final long leaseMillis;
    private final RedissonClient redisson;
    private final RedissonReactiveClient reactive;

    RedissonLockClient(RedisURI redis, Duration lease) {
        this.leaseMillis = lease.toMillis();
        Config config = new Config();
        // Its defaults, 16 and 32, are made for more processors: on two, fewer are faster.
        config.setThreads(2 * Runtime.getRuntime().availableProcessors());
        config.setNettyThreads(Runtime.getRuntime().availableProcessors());
        var server = config.useSingleServer()
                .setAddress((redis.isSsl() ? "rediss://" : "redis://") + redis.getHost() + ":" + redis.getPort())
                .setDatabase(redis.getDatabase())
                // Each key that is waited for is a subscription; by default 250 would be all.
                .setSubscriptionsPerConnection(100);
        var credentials = redis.getCredentialsProvider().resolveCredentials().block();
        if (credentials != null && credentials.hasPassword() && credentials.getPassword().length > 0) {
            config.setPassword(new String(credentials.getPassword()));
            config.setUsername(credentials.getUsername());
        }
        this.redisson = Redisson.create(config);
        this.reactive = redisson.reactive();
    }

    @Override
    public Mono<Boolean> cycle(String key) {
        return Mono.defer(() -> {
            long owner = owners.incrementAndGet();
            RLockReactive lock = reactive.getLock(key);
            return lock.tryLock(0, leaseMillis, TimeUnit.MILLISECONDS, owner)
                    .flatMap(acquired -> acquired ? lock.unlock(owner).thenReturn(true) : Mono.just(false));
        });
    }

    @Override
    public Mono<Grant> acquire(String key) {
        return Mono.defer(() -> {
            long owner = owners.incrementAndGet();
            RLockReactive lock = reactive.getLock(key);
            return lock.lock(leaseMillis, TimeUnit.MILLISECONDS, owner)
                    .thenReturn((Grant) () -> lock.unlock(owner));
        });
    }

    @Override
    public void close() {
        redisson.shutdown();
    }
}
