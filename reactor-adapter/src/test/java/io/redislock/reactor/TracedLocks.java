package io.redislock.reactor;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

import io.redislock.LockOptions;
import io.redislock.lease.LeaseClock;
import io.redislock.protocol.OwnerTokens;
import io.redislock.reactor.store.InMemoryLockStore;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** Locks on a store in memory, in real time, and what each command, work and clean-up sees of a trace. */
final class TracedLocks {

    static final String TRACE = "trace 7";
    static final Duration MINUTE = Duration.ofSeconds(60);
    static final LockOptions OPTIONS = LockOptions.defaults().expiry(MINUTE).retry(0, MINUTE);

    /** How a scope is written. */
    enum Scope { WITH_LOCK, WITH_LOCK_MANY, USING_WHEN }

    final SeenTrace seen = new SeenTrace();
    final InMemoryLockStore store = new InMemoryLockStore(LeaseClock.system());
    final ReactiveRedisLocks locks = new StoreRedisLocks(new LockEnvironment(new SeeingStore(store, seen),
            new OwnerTokens(new SecureRandom()), LeaseClock.system(), null, new SafeListener(List.of())),
            "", OPTIONS, Duration.ofSeconds(5));

    /** The work under "key". The clean-up of {@code usingWhen} notes what it sees. */
    Mono<?> scoped(Scope scope, Function<RedisLock, Mono<String>> work) {
        return switch (scope) {
            case WITH_LOCK -> locks.withLock("key", work);
            case WITH_LOCK_MANY -> locks.withLockMany("key", work).then();
            case USING_WHEN -> Mono.usingWhen(locks.acquire("key"), work,
                    lock -> seen.at("clean-up").then(lock.release()));
        };
    }

    void awaitReleased() {
        Await.until("a release was sent and the key is gone",
                () -> !seen.of("release").isEmpty() && store.value("key").isEmpty());
    }

    /** The call of a subscriber who has a trace. */
    static <T> Mono<T> traced(Mono<T> call) {
        return call.contextWrite(Context.of(SeenTrace.KEY, TRACE));
    }

    static <T> Flux<T> traced(Flux<T> call) {
        return call.contextWrite(Context.of(SeenTrace.KEY, TRACE));
    }
}
