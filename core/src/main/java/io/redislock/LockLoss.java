package io.redislock;

/** Why a lease was lost. */
public enum LockLoss {

    /** Its local deadline passed without an extension. The server may still have the key for a moment. */
    EXPIRED,
    /**
     * The server no longer had the key although its time was not up: deleted, evicted, flushed, or lost in a failover.
     */
    DELETED,
    /** The server had another owner's value under the key although the time was not up. */
    TAKEN_OVER,
    /** It was renewed for as long as {@link LockOptions#autoRenew} allows. */
    MAX_HOLD_REACHED,
    /** The locks were closed while it was held. */
    CLOSED
}
