package io.redislock.reactor;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

import io.redislock.LockNotAcquiredException;
import io.redislock.LockOptions;
import io.redislock.lease.Expiry;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.OwnerValue;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The API on a {@link io.redislock.reactor.store.LockStore}: checks arguments and puts the parts together. */
final class StoreRedisLocks implements ReactiveRedisLocks {

    private final LockEnvironment environment;
    private final Sinks.Empty<Void> closing;
    private final String keyPrefix;
    private final LockOptions defaults;
    private final Releases releases;
    private final LowLevelLocks lowLevel;
    private volatile boolean closed;

    /**
     * @param closing is completed by {@link #close()}; the environment's {@code closed} is its other end
     */
    StoreRedisLocks(LockEnvironment environment, Sinks.Empty<Void> closing, String keyPrefix, LockOptions defaults) {
        this.environment = environment;
        this.closing = closing;
        this.keyPrefix = keyPrefix;
        this.defaults = defaults;
        this.releases = new Releases(environment.store(), environment.clock(), () -> closed);
        this.lowLevel = new LowLevelLocks(environment, releases, defaults.commandTimeout());
    }

    @Override
    public Mono<Boolean> take(String key, String value, Duration expiry) {
        return lowLevel.take(lockKey(key), OwnerValue.require(value), Expiry.onTheWire("expiry", expiry));
    }

    @Override
    public Mono<Boolean> release(String key, String value) {
        return lowLevel.release(lockKey(key), OwnerValue.require(value));
    }

    @Override
    public Mono<Boolean> extend(String key, String value, Duration expiry) {
        return lowLevel.extend(lockKey(key), OwnerValue.require(value), Expiry.onTheWire("expiry", expiry));
    }

    @Override
    public Mono<String> query(String key) {
        return lowLevel.query(lockKey(key));
    }

    @Override
    public Mono<RedisLock> acquire(String key) {
        return acquire(key, defaults);
    }

    @Override
    public Mono<RedisLock> acquire(String key, LockOptions options) {
        LockKey lockKey = lockKey(key);
        Objects.requireNonNull(options, "options");
        return handover(stop -> new Acquisition(environment, releases, lockKey, options).run(stop)
                .onErrorResume(LockNotAcquiredException.class, busy -> Mono.empty()));
    }

    @Override
    public Mono<RedisLock> acquire(String key, Duration expiry, long maxRetries, Duration retryDelay) {
        Expiry.ofLease("expiry", expiry);
        Expiry.positive("retryDelay", retryDelay);
        return acquire(key, defaults.expiry(expiry).retry(maxRetries, retryDelay));
    }

    @Override
    public <T> Mono<T> withLock(String key, Function<? super RedisLock, ? extends Mono<? extends T>> work) {
        return withLock(key, defaults, work);
    }

    @Override
    public <T> Mono<T> withLock(String key, LockOptions options,
            Function<? super RedisLock, ? extends Mono<? extends T>> work) {
        Mono<RedisLock> acquired = acquireOrFail(key, options);
        Objects.requireNonNull(work, "work");
        return Mono.usingWhen(acquired, work, RedisLock::release, (lock, error) -> lock.release(), RedisLock::release);
    }

    @Override
    public <T> Flux<T> withLockMany(String key, Function<? super RedisLock, ? extends Publisher<? extends T>> work) {
        return withLockMany(key, defaults, work);
    }

    @Override
    public <T> Flux<T> withLockMany(String key, LockOptions options,
            Function<? super RedisLock, ? extends Publisher<? extends T>> work) {
        Mono<RedisLock> acquired = acquireOrFail(key, options);
        Objects.requireNonNull(work, "work");
        return Flux.usingWhen(acquired, work, RedisLock::release, (lock, error) -> lock.release(), RedisLock::release);
    }

    @Override
    public Mono<Void> close() {
        return Mono.defer(() -> {
            closed = true;
            closing.tryEmitEmpty();
            return environment.store().close();
        });
    }

    private Mono<RedisLock> acquireOrFail(String key, LockOptions options) {
        LockKey lockKey = lockKey(key);
        Objects.requireNonNull(options, "options");
        return handover(stop -> new Acquisition(environment, releases, lockKey, options).run(stop));
    }

    /** Everything that may still yield a lock runs in here, see {@link Handover}. */
    private Mono<RedisLock> handover(Function<Mono<Void>, Mono<RedisLock>> acquisition) {
        return new Handover<>(acquisition, (lock, context) -> ((LeasedLock) lock).abandon(context),
                environment.scheduler());
    }

    private LockKey lockKey(String key) {
        return LockKey.of(keyPrefix, key);
    }
}
