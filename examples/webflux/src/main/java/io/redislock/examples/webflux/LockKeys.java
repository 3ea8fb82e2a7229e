package io.redislock.examples.webflux;

import java.time.Duration;
import java.util.List;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.ScanOptions;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/**
 * The locks of all replicas as Redis has them: the truth also about a replica that does not answer. For the page alone;
 * no service should look through its keys.
 */
@Component
final class LockKeys {

    /** A lock in Redis: the owner value tells whose it is. */
    record Key(String key, String value, long remainingMillis) {
    }

    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final ReactiveStringRedisTemplate redis;
    private final String prefix;

    LockKeys(ReactiveStringRedisTemplate redis, @Value("${redislock.key-prefix}") String prefix) {
        this.redis = redis;
        this.prefix = prefix;
    }

    /** Fails when Redis does not answer soon. */
    Mono<List<Key>> all() {
        return redis.scan(ScanOptions.scanOptions().match(prefix + "order:*").count(1_000).build())
                .flatMap(this::look)
                .collectList()
                .timeout(PATIENCE);
    }

    /** Empty when the key is gone by now. */
    private Mono<Key> look(String key) {
        return Mono.zip(redis.opsForValue().get(key), redis.getExpire(key))
                .map(both -> new Key(key.substring(prefix.length()), both.getT1(), both.getT2().toMillis()));
    }
}
