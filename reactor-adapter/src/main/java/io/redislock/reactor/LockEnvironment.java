package io.redislock.reactor;

import java.time.Duration;

import io.redislock.LockListener;
import io.redislock.lease.LeaseClock;
import io.redislock.protocol.OwnerTokens;
import io.redislock.reactor.store.LockStore;
import io.redislock.reactor.time.Deadlines;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * What every lock of one {@link ReactiveRedisLocks} shares.
 *
 * @param scheduler where signals are to arrive; {@code null} for where they come up
 * @param listener never throws
 */
record LockEnvironment(LockStore store, OwnerTokens tokens, LeaseClock clock, @Nullable Scheduler scheduler,
        LockListener listener, Fencing fencing, OpenWork openWork, WaitQueues queues, HeldLeases heldLeases,
        Deadlines deadlines) {

    LockEnvironment(LockStore store, OwnerTokens tokens, LeaseClock clock, @Nullable Scheduler scheduler,
            LockListener listener) {
        this(store, tokens, clock, scheduler, listener, Fencing.DEFAULT_RETENTION);
    }

    /** @param fencingRetention how long the last fencing token of a key is kept at least */
    LockEnvironment(LockStore store, OwnerTokens tokens, LeaseClock clock, @Nullable Scheduler scheduler,
            LockListener listener, Duration fencingRetention) {
        this(store, tokens, clock, scheduler, listener, new Fencing(store, fencingRetention), new OpenWork(),
                new WaitQueues(clock), new HeldLeases(), new Deadlines(clock::nanoTime));
    }

    /** Moves signals to the configured scheduler. Not for values that somebody must own: see {@link Handover}. */
    <T> Mono<T> scheduled(Mono<T> signals) {
        return scheduler == null ? signals : signals.publishOn(scheduler);
    }
}
