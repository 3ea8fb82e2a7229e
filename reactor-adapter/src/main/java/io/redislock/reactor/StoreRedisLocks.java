package io.redislock.reactor;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

import io.redislock.LockOptions;
import io.redislock.lease.Expiry;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.OwnerValue;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** The API on a {@link io.redislock.reactor.store.LockStore}: checks arguments and puts the parts together. */
final class StoreRedisLocks implements ReactiveRedisLocks {

    private final LockEnvironment environment;
    private final String keyPrefix;
    private final LockOptions defaults;
    private final Releases releases;
    private final LowLevelLocks lowLevel;
    private final Mono<Void> closing;

    /**
     * @param closeTimeout how long closing waits for what is under way
     */
    StoreRedisLocks(LockEnvironment environment, String keyPrefix, LockOptions defaults, Duration closeTimeout) {
        environment.fencing().require(defaults);
        this.environment = environment;
        this.keyPrefix = keyPrefix;
        this.defaults = defaults;
        this.releases = new Releases(environment);
        this.lowLevel = new LowLevelLocks(environment, releases, defaults);
        this.closing = Mono.defer(() -> environment.openWork().close(closeTimeout))
                .then(Mono.defer(environment.store()::close))
                .doOnTerminate(environment.deadlines()::close)
                .cache();
        environment.store().watch(new KeyNews(environment.queues(), environment.heldLeases()));
    }

    @Override
    public Mono<Boolean> take(String key, String value, Duration expiry) {
        return lowLevel.take(lockKey(key), OwnerValue.require(value), Expiry.onTheWire("expiry", expiry));
    }

    /** Releases, in the background, what {@link #take} took and nobody wants any more. */
    void giveBack(String key, String value, Duration expiry, ContextView context) {
        lowLevel.giveBack(lockKey(key), value, expiry, context);
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
        return acquisition(key, options, true);
    }

    @Override
    public Mono<RedisLock> acquire(String key, Duration expiry, long maxRetries, Duration retryDelay) {
        Expiry.ofLease("expiry", expiry);
        Expiry.positive("retryDelay", retryDelay);
        return acquire(key, defaults.expiry(expiry).retry(maxRetries, retryDelay));
    }

    @Override
    public Mono<RedisLock> acquireOrFail(String key) {
        return acquireOrFail(key, defaults);
    }

    @Override
    public Mono<RedisLock> acquireOrFail(String key, LockOptions options) {
        return acquisition(key, options, false);
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
        return Mono.usingWhen(acquired, lock -> GuardedWork.one(lock, work), RedisLock::release,
                (lock, error) -> lock.release(), RedisLock::release);
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
        return Flux.usingWhen(acquired, lock -> GuardedWork.many(lock, work), RedisLock::release,
                (lock, error) -> lock.release(), RedisLock::release);
    }

    @Override
    public Mono<Void> close() {
        return closing;
    }

    /** Everything that may still yield a lock runs inside the {@link Handover}. */
    private Mono<RedisLock> acquisition(String key, LockOptions options, boolean emptyWhenBusy) {
        LockKey lockKey = lockKey(key);
        Objects.requireNonNull(options, "options");
        environment.fencing().require(options);
        return new Handover<>(() -> new Acquisition(environment, releases, lockKey, options, emptyWhenBusy),
                environment.scheduler());
    }

    private LockKey lockKey(String key) {
        return LockKey.of(keyPrefix, key);
    }
}
