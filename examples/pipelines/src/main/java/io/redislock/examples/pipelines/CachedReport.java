package io.redislock.examples.pipelines;

import java.time.Duration;
import java.util.function.Function;

import io.lettuce.core.SetArgs;
import io.lettuce.core.api.reactive.RedisReactiveCommands;
import io.redislock.LockNotAcquiredException;
import io.redislock.LockOptions;
import io.redislock.reactor.ReactiveRedisLocks;
import reactor.core.publisher.Mono;

/**
 * A cache whose entries are dear to build: when one is missing, one caller of all processes builds it, and the others
 * wait and read what it built.
 *
 * <pre>
 *   caller 1   cache: none -- lock ------ cache: none -- builds, writes -- releases
 *   caller 2   cache: none -- busy ............................................ lock -- cache: there
 *   caller 3   cache: there
 * </pre>
 *
 * <p>The lock saves work here, it does not guard anything: should one be lost, two build the same, and the cache has
 * the later one. Each of those who wait takes the lock for one look at the cache, one after the other. Where
 * thousands may wait, let the callers of a process share one {@code Mono}.
 */
final class CachedReport {

    /**
     * Who builds may take a minute; who dies while building is noticed after five seconds, which is less than the
     * others wait, so one of them builds.
     */
    static final LockOptions PATIENT = LockOptions.defaults()
            .name("report")
            .expiry(Duration.ofSeconds(5))
            .autoRenew(Duration.ofMinutes(1))
            .waitAtMost(Duration.ofSeconds(10));

    private static final Duration FRESH_FOR = Duration.ofMinutes(10);

    private final ReactiveRedisLocks locks;
    private final LockOptions options;
    private final RedisReactiveCommands<String, String> redis;
    private final Function<String, Mono<String>> builder;

    CachedReport(ReactiveRedisLocks locks, LockOptions options, RedisReactiveCommands<String, String> redis,
            Function<String, Mono<String>> builder) {
        this.locks = locks;
        this.options = options;
        this.redis = redis;
        this.builder = builder;
    }

    /**
     * Emits the report. Who waits in vain looks once more, and then fails with {@link LockNotAcquiredException}: a
     * caller may answer "try again in {@code holderRemaining()}", or show an older report if it has one. Building it
     * here after all is what the lock is there to prevent. When the builder fails, its caller gets the error, and the
     * next one of those who wait builds.
     */
    // snippet: rebuild-once
    Mono<String> get(String id) {
        Mono<String> cached = Mono.defer(() -> redis.get("report:" + id));
        return cached
                .switchIfEmpty(locks.withLock("rebuild:" + id, options,
                        lock -> cached.switchIfEmpty(build(id)))) // looks again: it may be there by now
                .onErrorResume(LockNotAcquiredException.class, busy -> cached.switchIfEmpty(Mono.error(busy)));
    }
    // end

    private Mono<String> build(String id) {
        return Mono.defer(() -> builder.apply(id))
                .flatMap(report -> redis.set("report:" + id, report, SetArgs.Builder.ex(FRESH_FOR))
                        .thenReturn(report));
    }
}
