package io.redislock.reactor;

import java.security.SecureRandom;
import java.time.Duration;

import io.redislock.LockOptions;
import io.redislock.protocol.OwnerTokens;
import io.redislock.reactor.store.InMemoryLockStore;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Locks on a store in memory, in virtual time. To be closed, which gives real time back. */
final class VirtualLocks implements AutoCloseable {

    final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    final InMemoryLockStore store = new InMemoryLockStore(new VirtualClock());
    final ReactiveRedisLocks locks;

    VirtualLocks() {
        Sinks.Empty<Void> closing = Sinks.empty();
        locks = new StoreRedisLocks(new LockEnvironment(store, new OwnerTokens(new SecureRandom()), new VirtualClock(),
                null, closing.asMono()), closing, "", LockOptions.defaults());
    }

    void pass(Duration duration) {
        time.advanceTimeBy(duration);
    }

    @Override
    public void close() {
        VirtualTimeScheduler.reset();
    }
}
