package io.redislock.reactor;

import java.time.Duration;
import java.util.function.Function;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.redislock.LockListener;
import io.redislock.LockOptions;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Locks on one Redis, or on the master behind a Sentinel. One instance serves a whole application; it is safe for
 * concurrent use and owns one connection.
 *
 * <pre>{@code
 * Mono<Receipt> receipt = locks.withLock("order:" + id, lock -> charge(id));
 * }</pre>
 *
 * <p><b>Laziness.</b> Nothing is sent before a subscription, and each subscription is a new operation.
 *
 * <p><b>Errors.</b> Bad arguments are refused at once, by an exception thrown from the call. Everything else is a
 * signal: busy is an everyday outcome (false, empty, or {@link io.redislock.LockNotAcquiredException} where said), and
 * {@link io.redislock.LockUnavailableException} means that Redis could not say. The two never look alike. Work under a
 * lock that was lost fails with {@link io.redislock.LockLostException}.
 *
 * <p><b>Cancelling.</b> Whatever is cancelled, times out or loses its reply leaves no lock behind: what may have been
 * taken is released in the background. With {@link #take}, whose value is the caller's, only what certainly was taken
 * is.
 *
 * <p><b>Threads.</b> Replies arrive on Lettuce's event loop, timeouts and the ends of delays on
 * {@link reactor.core.scheduler.Schedulers#parallel()}. Blocking or CPU-heavy work there stops every other lock: use
 * {@link Builder#scheduler(Scheduler)}, or {@code publishOn} inside the work.
 */
public interface ReactiveRedisLocks {

    /**
     * Locks on the Redis that the client was made for. Connects now and blocks for it, so call it at start-up;
     * {@link #connect(RedisClient, RedisURI)} is the same without. Nothing else here blocks.
     *
     * @param client stays the caller's: its options are honoured, and {@link #close()} does not shut it down
     * @throws IllegalArgumentException when the client's auto-reconnect is switched off
     * @throws io.lettuce.core.RedisConnectionException when Redis cannot be reached
     */
    static ReactiveRedisLocks create(RedisClient client) {
        return builder(client).build();
    }

    /**
     * Locks on the Redis at this address, connected when the {@code Mono} is subscribed to, without blocking. Fails as
     * {@link #create} does. Cancelling closes a connection that was under way.
     */
    static Mono<ReactiveRedisLocks> connect(RedisClient client, RedisURI uri) {
        return builder(client).uri(uri).connect();
    }

    /** Starts a configuration. */
    static Builder builder(RedisClient client) {
        return new LocksBuilder(client);
    }

    /**
     * Takes the key if it is absent: a strict {@code SET NX} with an expiry, in one round trip. On the wire it is
     * StackExchange.Redis's {@code LockTake}.
     *
     * <p>Emits true when taken, false when the key holds any value, an equal one included. Fails with
     * {@link io.redislock.LockUnavailableException} when Redis did not answer, answered with an error, or answered in a
     * way that does not tell whose the key is: the command was sent again after a reconnect, and the key held an equal
     * value, which may be its own first copy's or another caller's
     * ({@link io.redislock.LockUnavailableException#outcomeUnknown()}). Cancelling does not stop a command that was
     * sent: if its reply says that it took the key, however late, the key is released again. When no reply comes at
     * all, the key is left to its expiry: the value may be shared, and a release on suspicion could be another
     * caller's.
     *
     * @param value the owner value, not empty, best unique to the caller
     * @param expiry one millisecond or more; fractions of a millisecond are cut off
     */
    Mono<Boolean> take(String key, String value, Duration expiry);

    /**
     * Deletes the key if it holds the value, in one round trip. On the wire it is StackExchange.Redis's
     * {@code LockRelease}.
     *
     * <p>Emits true when deleted, false when the key was absent or held another value. Fails with
     * {@link io.redislock.LockUnavailableException} when Redis did not answer or answered with an error, and when the
     * command was sent again after a reconnect and then found the key absent: its first copy may have deleted it. Once
     * subscribed to it is sent; cancelling only stops listening. As the clean-up of {@code usingWhen} it needs an
     * {@code onErrorReturn}: an error there replaces the result of the work.
     */
    Mono<Boolean> release(String key, String value);

    /**
     * Sets the key's expiry if it holds the value, in one round trip; shortens too. On the wire it is
     * StackExchange.Redis's {@code LockExtend}.
     *
     * <p>Emits true when set, false when the key was absent or held another value. Fails with
     * {@link io.redislock.LockUnavailableException} when Redis did not answer or answered with an error. Cancelling
     * withdraws a command that was not sent yet, otherwise it only stops listening.
     *
     * @param expiry from now, one millisecond or more
     */
    Mono<Boolean> extend(String key, String value, Duration expiry);

    /**
     * The value that the key holds. On the wire it is StackExchange.Redis's {@code LockQuery}.
     *
     * <p>Empty when not locked. Fails with {@link io.redislock.LockUnavailableException} when Redis did not answer or
     * answered with an error.
     */
    Mono<String> query(String key);

    /** As {@link #acquire(String, LockOptions)} with the default options of this instance. */
    Mono<RedisLock> acquire(String key);

    /**
     * Acquires a lock with a generated owner value, waiting while it is busy.
     *
     * <pre>
     *   attempt: busy --- 200 ms --- attempt: busy --- 400 ms ------------ attempt: busy --> (empty)
     *                                            released: attempt: ours ------------------> RedisLock
     *                                                        no answer --------------------> LockUnavailableException
     * </pre>
     *
     * <p>Those who wait for a key in one process form a queue, first come, first served, and only the first of them
     * sends attempts: when it is woken, because the server told that the key has changed, the holder's lease has ended
     * or the lock was released in this process, and by its schedule. An attempt that falls due behind others counts as
     * busy.
     *
     * <p>Emits the lock. Empty when another owner held it through the last attempt. Fails with
     * {@link io.redislock.LockUnavailableException} at the first attempt to which Redis did not answer within
     * {@link LockOptions#commandTimeout(Duration)}, or answered with an error.
     *
     * <p>Cancelling ends the attempts; one in flight is left to finish, and what it takes is released. Once the lock
     * was emitted it is the subscriber's to release, and an operator that drops it (a {@code timeout()} that fires at
     * that very moment, {@code retryWhen} or {@code publishOn} cancelled at that moment, a {@code zip} whose partner is
     * empty, {@code firstWithSignal}) drops the lock until it expires. So
     * prefer {@link #withLock}, or {@code Flux.usingWhen(locks.acquire(key), lock -> work, RedisLock::release)}, and
     * bound the wait by {@link LockOptions#waitAtMost(Duration)} rather than by {@code timeout()}.
     */
    Mono<RedisLock> acquire(String key, LockOptions options);

    /**
     * As {@link #acquire(String, LockOptions)} with these three in place of the defaults of this instance.
     *
     * @param expiry 3 ms or more
     * @param maxRetries attempts after the first, not negative
     * @param retryDelay the first delay of the backoff, positive
     */
    Mono<RedisLock> acquire(String key, Duration expiry, long maxRetries, Duration retryDelay);

    /** As {@link #acquireOrFail(String, LockOptions)} with the default options of this instance. */
    Mono<RedisLock> acquireOrFail(String key);

    /**
     * As {@link #acquire(String, LockOptions)}, but never empty: fails with
     * {@link io.redislock.LockNotAcquiredException}, which tells of the wait and the holder, when another owner held it
     * through the last attempt.
     */
    Mono<RedisLock> acquireOrFail(String key, LockOptions options);

    /** As {@link #withLock(String, LockOptions, Function)} with the default options of this instance. */
    <T> Mono<T> withLock(String key, Function<? super RedisLock, ? extends Mono<? extends T>> work);

    /**
     * Runs work while holding the lock, and releases it on completion, error and cancellation.
     *
     * <p>Emits what the work emits, after the release was answered or given up waiting for (see
     * {@link RedisLock#release()}). Empty when the work is. Fails with the work's own error, which stays primary
     * whatever the release does; with {@link io.redislock.LockNotAcquiredException} when the lock was busy to the end;
     * with {@link io.redislock.LockUnavailableException} when Redis did not answer. The work is not called in the last
     * two cases.
     *
     * <p>When the lease is lost, by its deadline or otherwise, the work is cancelled and this fails with
     * {@link io.redislock.LockLostException}; also when the work succeeded and the release then finds that the key was
     * gone or another's before its time. A release without an answer changes nothing of the result.
     *
     * <p>Cancelling cancels the acquisition or the work, whichever is running, and releases; so
     * {@code withLock(..).timeout(..)} is fine.
     *
     * @param work called once the lock is held; may throw
     */
    <T> Mono<T> withLock(String key, LockOptions options,
            Function<? super RedisLock, ? extends Mono<? extends T>> work);

    /** As {@link #withLockMany(String, LockOptions, Function)} with the default options of this instance. */
    <T> Flux<T> withLockMany(String key, Function<? super RedisLock, ? extends Publisher<? extends T>> work);

    /** As {@link #withLock(String, LockOptions, Function)} for work of many values, which are emitted as they come. */
    <T> Flux<T> withLockMany(String key, LockOptions options,
            Function<? super RedisLock, ? extends Publisher<? extends T>> work);

    /**
     * Ends everything and closes the connection; completes when that is done. Idempotent; the client stays open.
     *
     * <p>No lock is acquired from now on: what waits for one, and every later call, fails with
     * {@link io.redislock.LockUnavailableException}. Held locks are lost as {@link io.redislock.LockLoss#CLOSED}, work
     * under them is cancelled, and they are released. For all that it waits {@link Builder#closeTimeout(Duration)} at
     * most; what could not be released by then is told to the listener, and expires by itself. Cancelling does not stop
     * it.
     */
    Mono<Void> close();

    /** Configures and makes a {@link ReactiveRedisLocks}. Not safe for concurrent use. */
    interface Builder {

        /** Where to connect; by default the address that the client was made for. */
        Builder uri(RedisURI uri);

        /** Put before every key on the server; none by default. */
        Builder keyPrefix(String prefix);

        /** The options of calls that bring none; their command timeout is also that of the low-level operations. */
        Builder defaults(LockOptions options);

        /**
         * Where signals arrive, instead of Lettuce's event loop. The hop happens before it is decided whether a lock is
         * delivered or the call was cancelled, so none is lost on it.
         *
         * @param scheduler stays the caller's
         */
        Builder scheduler(Scheduler scheduler);

        /** Told what happens to the locks; several are told in this order. */
        Builder listener(LockListener listener);

        /**
         * How long the last fencing token of a key is kept on the server after it was minted, and after each renewal or
         * {@link RedisLock#extend}. It is kept longer where a lease may last more than half of this, and never less
         * long than was said before. So each key that is locked with {@link LockOptions#fenced()} has a second one for
         * this time.
         *
         * @param fencingRetention one millisecond or more; default 24 h
         */
        Builder fencingRetention(Duration fencingRetention);

        /** How long {@link #close()} waits for what is under way; default 5 s. */
        Builder closeTimeout(Duration closeTimeout);

        /** Connects now and blocks for it. Throws as {@link ReactiveRedisLocks#create} does. */
        ReactiveRedisLocks build();

        /**
         * Connects when subscribed to, without blocking, with the settings that the builder had when this was called.
         * Cancelling closes a connection that was under way.
         */
        Mono<ReactiveRedisLocks> connect();
    }
}
