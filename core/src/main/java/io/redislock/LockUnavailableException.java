package io.redislock;

import org.jspecify.annotations.Nullable;

/**
 * Redis could not be asked, did not answer in time, or answered with an error. It says nothing about whether the lock
 * is free: a caller should fail closed, that is, not do the work.
 */
public final class LockUnavailableException extends RedisLockException {

    private static final long serialVersionUID = 1L;

    private final boolean outcomeUnknown;

    /**
     * @param key the key as the caller gave it
     * @param message what happened, and what to do
     * @param cause the error of the client, if there was one
     * @param outcomeUnknown whether the command may have run on the server
     */
    public LockUnavailableException(String key, String message, @Nullable Throwable cause, boolean outcomeUnknown) {
        super(key, message, cause, true);
        this.outcomeUnknown = outcomeUnknown;
    }

    /**
     * True when the command may have run on the server although no answer told so: it was written and its reply is
     * missing, or it was written twice. False when it certainly had no effect. What a lost acquisition may have left on
     * the server is released in the background; after a lost {@code take}, whose value is the caller's, only if a late
     * reply says that it took the key.
     */
    public boolean outcomeUnknown() {
        return outcomeUnknown;
    }
}
