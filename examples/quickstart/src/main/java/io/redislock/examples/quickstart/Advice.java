package io.redislock.examples.quickstart;

import io.lettuce.core.RedisException;
import io.redislock.LockNotAcquiredException;
import io.redislock.LockUnavailableException;

/** What went wrong, and what to do about it, for whoever ran the quickstart. */
final class Advice {

    private static final String OTHER_REDIS = "-Dredis=redis://host:port";

    private Advice() {
    }

    /**
     * @param uri as it was given, empty for none
     */
    static String on(RuntimeException failure, String uri) {
        if (failure instanceof LockNotAcquiredException) {
            return failure.getMessage() + "\nDoes another quickstart run on this Redis, or was one stopped half-way? "
                    + "Try again once that lease has run out.";
        }
        if (failure instanceof LockUnavailableException) {
            return failure.getMessage() + "\nSee whether Redis is still there, and try again.";
        }
        if (failure instanceof RedisException) {
            return "Redis cannot be used: " + failure.getMessage() + " (" + rootOf(failure).getMessage() + ")"
                    + "\nStart a Redis there, or name another with " + OTHER_REDIS
                    + ". Without -Dredis the quickstart starts one by itself.";
        }
        if (failure instanceof IllegalArgumentException && !uri.isEmpty()) {
            return "This is no address of a Redis: " + failure.getMessage() + "\nGive one as " + OTHER_REDIS + ".";
        }
        return uri.isEmpty()
                ? failure + "\nIf no Redis can be started here, name a running one with " + OTHER_REDIS + "."
                : failure.toString();
    }

    private static Throwable rootOf(Throwable failure) {
        return failure.getCause() == null ? failure : rootOf(failure.getCause());
    }
}
