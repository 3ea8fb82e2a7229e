package io.redislock.spring.boot;

import org.jspecify.annotations.Nullable;

/** Why there are no locks, and what to do about it. Spring Boot prints both when the application does not start. */
final class LocksNotStartedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    LocksNotStartedException(String description, String action, @Nullable Throwable cause) {
        super(description, cause);
        this.action = action;
    }

    String action() {
        return action;
    }
}
