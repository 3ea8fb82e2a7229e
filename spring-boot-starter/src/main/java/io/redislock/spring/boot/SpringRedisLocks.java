package io.redislock.spring.boot;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

import io.redislock.LockListener;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.WireText;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.reactor.RedisLock;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.SmartLifecycle;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The bean: locks that are connected and closed together with the application's Redis connection.
 *
 * <p>It stands in front of the library's own object because Spring stops and starts connection factories while beans
 * stay, when a test context is paused or around a checkpoint, and a factory that was started again has another client.
 * And a context that closes stops the factory, which shuts its client down, before it destroys any bean: so the locks
 * are stopped too, and, being dependent on the factory, before it.
 *
 * <p>It connects as early as the factory starts, when the bean is initialised, so that other beans can use locks in
 * their own initialisation.
 */
class SpringRedisLocks implements ReactiveRedisLocks, SmartLifecycle, InitializingBean, DisposableBean {

    private static final Log LOG = LogFactory.getLog(LockListener.class);

    private final LocksConnection connection;
    private final int phase;
    private final LockOptions defaults;
    private final List<LockListener> listeners;

    /**
     * @param phase that of the connection factory
     * @param defaults the options of calls that bring none
     * @param listeners told of acquisitions that fail because Redis was not reached yet
     */
    SpringRedisLocks(LocksConnection connection, int phase, LockOptions defaults, List<LockListener> listeners) {
        this.connection = connection;
        this.phase = phase;
        this.defaults = defaults;
        this.listeners = listeners;
    }

    @Override
    public Mono<Boolean> take(String key, String value, Duration expiry) {
        return mono(key, null, locks -> locks.take(key, value, expiry));
    }

    @Override
    public Mono<Boolean> release(String key, String value) {
        return mono(key, null, locks -> locks.release(key, value));
    }

    @Override
    public Mono<Boolean> extend(String key, String value, Duration expiry) {
        return mono(key, null, locks -> locks.extend(key, value, expiry));
    }

    @Override
    public Mono<String> query(String key) {
        return mono(key, null, locks -> locks.query(key));
    }

    @Override
    public Mono<RedisLock> acquire(String key) {
        return mono(key, defaults, locks -> locks.acquire(key));
    }

    @Override
    public Mono<RedisLock> acquire(String key, LockOptions options) {
        return mono(key, options, locks -> locks.acquire(key, options));
    }

    @Override
    public Mono<RedisLock> acquire(String key, Duration expiry, long maxRetries, Duration retryDelay) {
        return mono(key, defaults, locks -> locks.acquire(key, expiry, maxRetries, retryDelay));
    }

    @Override
    public Mono<RedisLock> acquireOrFail(String key) {
        return mono(key, defaults, locks -> locks.acquireOrFail(key));
    }

    @Override
    public Mono<RedisLock> acquireOrFail(String key, LockOptions options) {
        return mono(key, options, locks -> locks.acquireOrFail(key, options));
    }

    @Override
    public <T> Mono<T> withLock(String key, Function<? super RedisLock, ? extends Mono<? extends T>> work) {
        return mono(key, defaults, locks -> locks.withLock(key, work));
    }

    @Override
    public <T> Mono<T> withLock(String key, LockOptions options,
            Function<? super RedisLock, ? extends Mono<? extends T>> work) {
        return mono(key, options, locks -> locks.withLock(key, options, work));
    }

    @Override
    public <T> Flux<T> withLockMany(String key, Function<? super RedisLock, ? extends Publisher<? extends T>> work) {
        return flux(key, defaults, locks -> locks.withLockMany(key, work));
    }

    @Override
    public <T> Flux<T> withLockMany(String key, LockOptions options,
            Function<? super RedisLock, ? extends Publisher<? extends T>> work) {
        return flux(key, options, locks -> locks.withLockMany(key, options, work));
    }

    /** Until the context is started again, if it ever is. */
    @Override
    public Mono<Void> close() {
        return Mono.defer(() -> {
            ReactiveRedisLocks locks = connection.halt();
            return locks == null ? Mono.empty() : locks.close();
        });
    }

    @Override
    public void afterPropertiesSet() {
        start();
    }

    @Override
    public void start() {
        connection.start();
    }

    /** Blocks, so that the connection factory is not stopped, and its client shut down, before this is done. */
    @Override
    public void stop() {
        connection.stop();
    }

    @Override
    public boolean isRunning() {
        return connection.isRunning();
    }

    @Override
    public int getPhase() {
        return phase;
    }

    /** Where a context did not come far enough to be stopped. */
    @Override
    public void destroy() {
        connection.stop();
    }

    /**
     * The call is made at once, so that bad arguments are refused at once, and again for a subscription that finds
     * other locks by then. A {@code defer} drops no lock: it is subscribed to before it is cancelled.
     */
    private <T> Mono<T> mono(String key, @Nullable LockOptions acquiring, Function<ReactiveRedisLocks, Mono<T>> call) {
        ReactiveRedisLocks now = connection.current();
        Mono<T> made = now == null ? notReached(key, acquiring) : call.apply(now);
        return Mono.defer(() -> {
            ReactiveRedisLocks then = connection.current();
            return then == null || then == now ? made : call.apply(then);
        });
    }

    private <T> Flux<T> flux(String key, LockOptions acquiring, Function<ReactiveRedisLocks, Flux<T>> call) {
        ReactiveRedisLocks now = connection.current();
        Flux<T> made = now == null ? this.<T>notReached(key, acquiring).flux() : call.apply(now);
        return Flux.defer(() -> {
            ReactiveRedisLocks then = connection.current();
            return then == null || then == now ? made : call.apply(then);
        });
    }

    /** Without locks there is nobody to refuse other arguments than the key; they are refused once there are. */
    private <T> Mono<T> notReached(String key, @Nullable LockOptions acquiring) {
        LockKey.of("", key);
        return Mono.error(() -> {
            LockUnavailableException failure = new LockUnavailableException(key,
                    "The lock " + WireText.shown(key) + " is unavailable: Redis at " + connection.address()
                            + " was not reached since the application was started",
                    connection.lastFailure(), false);
            if (acquiring != null) {
                listeners.forEach(listener -> tell(listener, acquiring.name(), failure));
            }
            return failure;
        });
    }

    private static void tell(LockListener listener, String name, LockUnavailableException failure) {
        try {
            listener.unavailable(name, failure.key(), Duration.ZERO, failure);
        } catch (RuntimeException thrown) {
            LOG.warn("A lock listener threw; this changes nothing", thrown);
        }
    }
}
