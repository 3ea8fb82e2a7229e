package io.redislock.reactor.store;

import io.redislock.lease.LeaseClock;

class InMemoryLockStoreTest extends LockStoreContract {

    private final LockStore store = new InMemoryLockStore(LeaseClock.system());

    @Override
    LockStore store() {
        return store;
    }
}
