package io.redislock.reactor.store;

/**
 * Told what others do to the keys that a store's commands have read. A key is watched from the reply that reads it
 * until the first news of it; what the store's own commands do is no news.
 *
 * <p>Called on an event loop: must not block.
 */
public interface KeyWatcher {

    /** The key was written, deleted, or has expired; or the server gave up watching it. */
    void changed(String keyOnTheWire);

    /** Any key may have changed: all were deleted, or news may have been missed. */
    void anyMayHaveChanged();

    /** Whether keys are watched from now on. They are not before this is first told. */
    void watching(boolean watched);
}
