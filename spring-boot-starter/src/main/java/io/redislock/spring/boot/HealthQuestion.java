package io.redislock.spring.boot;

import java.util.Map;

import io.redislock.reactor.ReactiveRedisLocks;
import reactor.core.publisher.Mono;

/**
 * What the health of locks is found out by: one read of a key that nobody holds, over the very connection that locks go
 * over. It says that Redis answers there in time. It does not say that it would accept a write.
 */
final class HealthQuestion {

    /** Under the configured prefix, so that a Redis user who may touch the keys of locks alone may read it. */
    static final String KEY = "redislock-health";

    static final String DESCRIPTION = "Redis locks are not available";

    private HealthQuestion() {
    }

    /**
     * Asks once, and emits what there is to tell. Fails with {@link io.redislock.LockUnavailableException} when there
     * is no answer within the default command timeout of the locks.
     */
    static Mono<Map<String, Object>> ask(ReactiveRedisLocks locks) {
        return Mono.defer(() -> {
            long asked = System.nanoTime();
            return locks.query(KEY).then(Mono.fromCallable(
                    () -> Map.<String, Object>of("answeredInMillis", (System.nanoTime() - asked) / 1_000_000)));
        });
    }
}
