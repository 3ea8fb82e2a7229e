package io.redislock.spring.boot;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

import io.lettuce.core.RedisException;
import io.redislock.reactor.ReactiveRedisLocks;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.util.retry.Retry;

/**
 * The locks that there are at the moment.
 *
 * <pre>
 *               start()                          stop()
 *   none yet -------------> connected -----------------------> closed ------ start() ------> connected ...
 *      |  Redis is down
 *      |---- fail-fast: start() throws
 *      '---- else: start() returns, and a retry in the background connects
 * </pre>
 *
 * <p>Starting and stopping block; everything else does not.
 */
final class LocksConnection {

    private static final Log LOG = LogFactory.getLog(ReactiveRedisLocks.class);

    private static final Duration FIRST_RETRY = Duration.ofMillis(500);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(10);

    private final LettuceSource redis;
    private final Supplier<ReactiveRedisLocks.Builder> builders;
    private final boolean failFast;

    private boolean running;
    private int starts;
    private @Nullable Disposable retrying;
    private volatile @Nullable ReactiveRedisLocks current;
    private volatile @Nullable Throwable lastFailure;

    /**
     * @param builders makes a builder on the client of the moment, with all settings
     * @param failFast whether {@link #start()} throws when Redis cannot be reached
     */
    LocksConnection(LettuceSource redis, Supplier<ReactiveRedisLocks.Builder> builders, boolean failFast) {
        this.redis = redis;
        this.builders = builders;
        this.failFast = failFast;
    }

    /** The newest locks that there were, also when they are closed; {@code null} while Redis was not reached yet. */
    @Nullable ReactiveRedisLocks current() {
        return current;
    }

    /** Where the locks are, for messages. */
    String address() {
        return redis.describe();
    }

    /** Why there is no connection, as far as that was found out. */
    @Nullable Throwable lastFailure() {
        return lastFailure;
    }

    synchronized boolean isRunning() {
        return running;
    }

    /**
     * Connects, and blocks for it. Does nothing when started already.
     *
     * @throws LocksNotStartedException when there is something to set right first
     */
    synchronized void start() {
        if (running) {
            return;
        }
        ReactiveRedisLocks.Builder builder = builders.get();
        try {
            current = builder.build();
        } catch (RedisException unreachable) {
            if (failFast) {
                throw notReached(unreachable);
            }
            LOG.warn("Redis at " + address() + " cannot be reached: " + reason(unreachable)
                    + ". Locks are unavailable until it can; trying again in the background");
            current = null;
            lastFailure = unreachable;
            retrying = connectLater(builder, starts + 1);
        } catch (IllegalArgumentException refused) {
            throw new LocksNotStartedException(
                    "The locks of reactive-redis-lock cannot use the Redis client of this application: "
                            + refused.getMessage() + ".",
                    "Change the client's options, or define a ReactiveRedisLocks bean of your own.", refused);
        } catch (IllegalStateException withoutAddress) {
            if (!String.valueOf(withoutAddress.getMessage()).contains("RedisURI")) {
                throw withoutAddress; // whatever else it is
            }
            throw new LocksNotStartedException(
                    "The locks of reactive-redis-lock need one Redis, or one behind Sentinel, but the Redis connection "
                            + "of this application is one to a static set of a master and its replicas.",
                    "Define a ReactiveRedisLocks bean of your own, or set redislock.enabled=false.", withoutAddress);
        }
        running = true;
        starts++;
    }

    /** Closes what there is, and blocks for it, for as long as closing may take. May be started again. */
    void stop() {
        ReactiveRedisLocks locks = halt();
        if (locks != null) {
            try {
                locks.close().toFuture().join(); // not block(), which refuses some threads: this is for them to say
            } catch (CompletionException failed) {
                LOG.warn("The connection of the locks could not be closed", failed.getCause());
            }
        }
    }

    /** Ends retrying: nothing connects any more until the next start. What there is is the caller's to close. */
    synchronized @Nullable ReactiveRedisLocks halt() {
        running = false;
        if (retrying != null) {
            retrying.dispose();
            retrying = null;
        }
        return current;
    }

    private Disposable connectLater(ReactiveRedisLocks.Builder builder, int start) {
        return builder.connect()
                .doOnNext(locks -> connected(locks, start)) // before retryWhen, which can drop it on a cancel
                .doOnError(this::failedAgain)
                .retryWhen(Retry.backoff(Long.MAX_VALUE, FIRST_RETRY).maxBackoff(LONGEST_RETRY))
                .subscribe();
    }

    private void failedAgain(Throwable failure) {
        lastFailure = failure;
        LOG.debug("Redis at " + address() + " still cannot be reached", failure);
    }

    private synchronized void connected(ReactiveRedisLocks locks, int start) {
        if (!running || start != starts) {
            locks.close().subscribe();
            return;
        }
        current = locks;
        lastFailure = null;
        LOG.info("Redis at " + address() + " was reached: there are locks now");
    }

    private LocksNotStartedException notReached(RedisException unreachable) {
        return new LocksNotStartedException(
                "The locks of reactive-redis-lock could not connect to Redis at " + address() + ": "
                        + reason(unreachable) + ".",
                "Start that Redis, or correct the address and the credentials in spring.data.redis. To let the "
                        + "application start without Redis, with locks unavailable until it is reached, set "
                        + "redislock.fail-fast=false.", unreachable);
    }

    /** What is at the bottom of it, without a full stop. */
    private static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage() == null ? root.toString() : root.getMessage();
        return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
    }
}
