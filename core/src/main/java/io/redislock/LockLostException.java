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
        super(key, "The lock " + WireText.shown(key) + " was lost while work ran under it: " + describe(reason), null,
                true);
        this.reason = reason;
    }

    /** Why the lease was lost. */
    public LockLoss reason() {
        return reason;
    }

    private static String describe(LockLoss reason) {
        return reason + switch (reason) {
            case EXPIRED -> ", its deadline passed without an extension";
            case DELETED -> ", its key was gone before its time; another owner may have been at work at the same time";
            case TAKEN_OVER -> ", its key is another owner's, who may have been at work at the same time";
            case MAX_HOLD_REACHED -> ", it was held for as long as autoRenew allows";
            case CLOSED -> ", the locks were closed";
        };
    }
}
