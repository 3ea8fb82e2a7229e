package io.redislock.benchmarks;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.lettuce.core.RedisURI;
import reactor.core.publisher.Mono;

/**
 * Lettuce's reactive API by hand. Waiting is a queue in this process, whose release and next acquisition are sent back
 * to back: the limit of a handoff. It does not wait for other processes.
 */
final class LettuceLockClient implements LockClient {

    private final HandWrittenLock lock;
    private final Map<String, BackToBackQueue> queues = new ConcurrentHashMap<>();

    LettuceLockClient(RedisURI redis, Duration lease) {
        this.lock = new HandWrittenLock(redis, lease);
    }

    @Override
    public Mono<Boolean> cycle(String key) {
        return Mono.defer(() -> {
            String token = lock.token();
            return lock.acquire(key, token)
                    .flatMap(acquired -> acquired ? lock.release(key, token) : Mono.just(false));
        });
    }

    @Override
    public Mono<Grant> acquire(String key) {
        return queues.computeIfAbsent(key, absent -> new BackToBackQueue(lock, absent)).acquire();
    }

    @Override
    public void close() {
        lock.close();
    }
}
