package io.redislock.reactor.store;

import io.redislock.lease.LeaseClock;

class InMemoryLockStoreTest extends LockStoreContract {

    private final InMemoryLockStore store = new InMemoryLockStore(LeaseClock.system());

    @Override
    LockStore store() {
        return store;
    }

    @Override
    String raw(String anyKey) {
        return store.value(anyKey).orElse(null);
    }
}
