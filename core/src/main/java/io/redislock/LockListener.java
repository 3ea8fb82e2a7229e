package io.redislock;

import java.time.Duration;

/**
 * Told what happens to locks. Every method does nothing by default.
 *
 * <p>Methods are called on the thread on which the event occurs, often an event loop: they must not block. One that
 * throws is logged and changes nothing. {@code name} is {@link LockOptions#name(String)}, of low cardinality;
 * {@code key} is the key as the caller gave it.
 *
 * <pre>
 *   attempts:  busyAttempt*, then one of  acquired | notAcquired | unavailable | abandoned
 *              from the first busy attempt on: waiting ... waitEnded
 *   holding:   acquired, then (extended | suspect)*, then exactly one of  released | lost
 *   releasing: releaseFailed in addition, when Redis did not confirm in time
 * </pre>
 */
public interface LockListener {

    /** A lock was acquired, by this attempt, after this time. */
    default void acquired(String name, String key, Duration waited, long attempts) {
    }

    /** An attempt found another owner, or fell due behind others of this process and counts as that, unsent. */
    default void busyAttempt(String name, String key, long attempt) {
    }

    /** A first attempt was busy, and more will follow. Answered by exactly one {@link #waitEnded}. */
    default void waiting(String name, String key) {
    }

    /** What began with {@link #waiting} is over, in whatever way. */
    default void waitEnded(String name, String key) {
    }

    /** The lock was busy to the end. */
    default void notAcquired(String name, String key, Duration waited, long attempts) {
    }

    /** Redis could not say whether the lock is free. */
    default void unavailable(String name, String key, Duration waited, LockUnavailableException failure) {
    }

    /** The caller cancelled before there was an outcome. */
    default void abandoned(String name, String key, Duration waited) {
    }

    /** A lease was extended, by hand or by renewal. */
    default void extended(String name, String key) {
    }

    /** An extension got no answer. Told once until one succeeds again. */
    default void suspect(String name, String key) {
    }

    /** A lease was lost after it was held for this time. */
    default void lost(String name, String key, LockLoss reason, Duration heldFor) {
    }

    /** A lease was given back after it was held for this time. */
    default void released(String name, String key, Duration heldFor) {
    }

    /** A release got no answer while somebody waited for it, or was given up in the background. */
    default void releaseFailed(String name, String key) {
    }
}
