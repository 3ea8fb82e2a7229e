package io.redislock;

/** Where a lease stands. It is held in the first two. */
public enum LockState {

    /** Ours, and the last extension, if there was one, succeeded. */
    HELD,
    /** Ours until its deadline, but an extension got no answer: it may be about to be lost. */
    SUSPECT,
    /** No longer ours to rely on, for the reason that {@link LockLoss} names. */
    LOST,
    /** Given back by its holder. */
    RELEASED
}
