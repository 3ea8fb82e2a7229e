package io.redislock.reactor;

/**
 * The outcome of a shared attempt that had a fencing token and was refused. What refused it may concern the token
 * alone, so it is nothing to those who want a lock without one.
 */
final class FencedAttemptFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    FencedAttemptFailed(Throwable failure) {
        super(failure.getMessage(), failure, false, false);
    }
}
