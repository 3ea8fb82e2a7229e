package io.redislock.benchmarks;

/** The program was called in a way that it does not understand. The message says what to change. */
final class UsageException extends RuntimeException {

    UsageException(String message) {
        super(message);
    }
}
