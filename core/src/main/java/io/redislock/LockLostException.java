package io.redislock;

import io.redislock.protocol.WireText;

/**
 * The lease was lost while work ran under it: the work was cancelled, or it ended when the exclusion may already have
 * been broken. Another owner may have been at work at the same time.
 */
public final class LockLostException extends RedisLockException {

    private static final long serialVersionUID = 1L;

    private final LockLoss reason;

    /**
     * @param key the key as the caller gave it
     * @param reason why
     */
    public LockLostException(String key, LockLoss reason) {
        super(key, "The lock " + WireText.shown(key) + " was lost while work ran under it: " + reason
                + "; another owner may have been at work at the same time", null, true);
        this.reason = reason;
    }

    /** Why the lease was lost. */
    public LockLoss reason() {
        return reason;
    }
}
