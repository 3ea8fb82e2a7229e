package io.redislock.benchmarks;

import reactor.core.publisher.Mono;

/**
 * One library on one server, by the calls that all of them have in common. Nothing is sent before it is subscribed to,
 * and each subscription is a new acquisition with an owner of its own.
 */
interface LockClient extends AutoCloseable {

    /** Acquires a free key and releases it: {@code true}, or {@code false} or empty when it was not free. */
    Mono<Boolean> cycle(String key);

    /** Waits for a key, however long that takes. */
    Mono<Grant> acquire(String key);

    @Override
    void close();
}
