package io.redislock.reactor;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.redislock.lease.LeaseClock;
import io.redislock.protocol.LockKey;

/** The queues of the keys that somebody in this process is waiting for, or is about to acquire. */
final class WaitQueues {

    private final LeaseClock clock;
    private final Map<String, WaitQueue> queues = new ConcurrentHashMap<>();
    private volatile boolean watched;

    WaitQueues(LeaseClock clock) {
        this.clock = clock;
    }

    LeaseClock clock() {
        return clock;
    }

    /** Takes the last place in the queue for this key. */
    Place join(LockKey key, Duration delay, Place.Caller caller) {
        for (;;) {
            WaitQueue queue = queueFor(key.onTheWire());
            Place place = new Place(queue, delay, caller);
            if (queue.add(place)) {
                return place;
            }
            // Its last caller has left in between, and is about to do this too.
            remove(key.onTheWire(), queue);
        }
    }

    private WaitQueue queueFor(String key) {
        WaitQueue existing = queues.get(key);
        if (existing != null) {
            return existing;
        }
        WaitQueue made = new WaitQueue(this, key);
        WaitQueue faster = queues.putIfAbsent(key, made);
        return faster == null ? made : faster;
    }

    void remove(String key, WaitQueue queue) {
        queues.remove(key, queue);
    }

    /** Whether the server tells when a busy key changes. */
    boolean watched() {
        return watched;
    }

    void watched(boolean nowWatched) {
        watched = nowWatched;
        if (!nowWatched) {
            queues.values().forEach(WaitQueue::unwatched);
        }
    }

    /** Something happened to this key. */
    void changed(String key) {
        WaitQueue queue = queues.get(key);
        if (queue != null) {
            queue.changed();
        }
    }

    /** Something may have happened to every key. */
    void anyMayHaveChanged() {
        queues.values().forEach(WaitQueue::changed);
    }

    /** The release of a lease that this process holds was just sent, on the connection of all attempts. */
    void releaseSent(String key) {
        WaitQueue queue = queues.get(key);
        if (queue != null) {
            queue.releaseSent();
        }
    }

    /** A release was answered. */
    void releaseAnswered(String key) {
        WaitQueue queue = queues.get(key);
        if (queue != null) {
            queue.releaseAnswered();
        }
    }
}
