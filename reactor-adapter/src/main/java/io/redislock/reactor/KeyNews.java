package io.redislock.reactor;

import io.redislock.reactor.store.KeyWatcher;

/** Passes news of keys on to those who wait for them, and to those who hold them. */
record KeyNews(WaitQueues queues, HeldLeases heldLeases) implements KeyWatcher {

    @Override
    public void changed(String keyOnTheWire) {
        heldLeases.changed(keyOnTheWire);
        queues.changed(keyOnTheWire);
    }

    @Override
    public void anyMayHaveChanged() {
        heldLeases.anyMayHaveChanged();
        queues.anyMayHaveChanged();
    }

    @Override
    public void watching(boolean watched) {
        queues.watched(watched);
    }
}
