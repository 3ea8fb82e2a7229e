package io.redislock.reactor;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;

import io.redislock.LockListener;
import io.redislock.LockOptions;
import io.redislock.protocol.OwnerTokens;
import io.redislock.reactor.store.InMemoryLockStore;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Locks on a store in memory, in virtual time. To be closed, which gives real time back. */
final class VirtualLocks implements AutoCloseable {

    final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    final InMemoryLockStore store = new InMemoryLockStore(new VirtualClock());
    final ReactiveRedisLocks locks;
    private final LockListener listener;

    VirtualLocks() {
        this(new LockListener() {
        });
    }

    VirtualLocks(LockListener listener) {
        this.listener = listener;
        this.locks = locksOn(null);
    }

    /** Further locks on the same store, whose signals arrive there. */
    ReactiveRedisLocks locksOn(@Nullable Scheduler scheduler) {
        return locks(scheduler, LockOptions.defaults());
    }

    /** Further locks on the same store, with these defaults. */
    ReactiveRedisLocks locksWith(LockOptions defaults) {
        return locks(null, defaults);
    }

    private ReactiveRedisLocks locks(@Nullable Scheduler scheduler, LockOptions defaults) {
        return new StoreRedisLocks(new LockEnvironment(store, new OwnerTokens(new SecureRandom()), new VirtualClock(),
                scheduler, new SafeListener(List.of(listener))), "", defaults,
                Duration.ofSeconds(5));
    }

    void pass(Duration duration) {
        time.advanceTimeBy(duration);
    }

    @Override
    public void close() {
        VirtualTimeScheduler.reset();
    }
}
