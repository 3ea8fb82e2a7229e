package io.redislock.reactor;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

import io.redislock.LockOptions;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

/** One caller's wait for a lock on a schedule so long that, in the time a test takes, only a wake-up can help. */
final class LongWait {

    static final Duration HOUR = Duration.ofHours(1);
    static final LockOptions SCHEDULE = LockOptions.defaults().expiry(Duration.ofMinutes(1)).retry(3, HOUR)
            .waitAtMost(HOUR);

    private final CompletableFuture<RedisLock> outcome = new CompletableFuture<>();
    private final Waiting waiting = new Waiting();

    private LongWait(Mono<RedisLock> acquisition) {
        acquisition.subscribe(waiting);
    }

    /** Neither {@code toFuture()} nor a lambda: disposed at the moment it is given the lock, each would drop it. */
    private final class Waiting extends BaseSubscriber<RedisLock> {

        @Override
        protected void hookOnNext(RedisLock lock) {
            if (!outcome.complete(lock)) {
                lock.release().subscribe();
            }
        }

        @Override
        protected void hookOnError(Throwable failure) {
            outcome.completeExceptionally(failure);
        }

        @Override
        protected void hookOnComplete() {
            outcome.completeExceptionally(new AssertionError("busy to the end"));
        }
    }

    /** Begins to wait. Whether the first attempt was answered yet is unknown. */
    static LongWait begin(ReactiveRedisLocks locks, String key) {
        return begin(locks, key, SCHEDULE);
    }

    /** As {@link #begin(ReactiveRedisLocks, String)}, on another schedule. */
    static LongWait begin(ReactiveRedisLocks locks, String key, LockOptions schedule) {
        return new LongWait(locks.acquire(key, schedule));
    }

    /** Begins to wait, and returns when the first attempt was answered: so it was busy, if the key was there. */
    static LongWait parked(ReactiveRedisLocks locks, String key) {
        LongWait begun = begin(locks, key);
        LocksFixture.settle(locks, "unused");
        return begun;
    }

    boolean isOver() {
        return outcome.isDone();
    }

    /** The lock, when it was had; fails when that takes longer than anything here takes. */
    RedisLock lock() {
        return lockWithin(Await.PATIENCE);
    }

    RedisLock lockWithin(Duration bound) {
        try {
            return outcome.get(bound.toMillis(), MILLISECONDS);
        } catch (TimeoutException late) {
            throw new AssertionError("Still waiting after " + bound, late);
        } catch (ExecutionException failed) {
            throw new AssertionError("The wait failed", failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting", interrupted);
        }
    }

    /** Has the lock at last and gives it back. */
    void endWithALock() {
        lock().release().block(Await.PATIENCE);
    }

    /** Stops waiting. False when it had the lock already. */
    boolean giveUp() {
        boolean givenUp = outcome.cancel(false);
        if (givenUp) {
            waiting.dispose();
        }
        return givenUp;
    }

    /** Stops waiting, or gives the lock back. */
    void leave() {
        if (!giveUp()) {
            outcome.thenAccept(lock -> lock.release().subscribe());
        }
    }
}
