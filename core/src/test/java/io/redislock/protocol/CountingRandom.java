package io.redislock.protocol;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts how often it is asked. Every draw of a {@link SecureRandom}, of whatever type, goes through nextBytes. */
final class CountingRandom extends SecureRandom {

    private final AtomicInteger draws = new AtomicInteger();

    @Override
    public void nextBytes(byte[] bytes) {
        draws.incrementAndGet();
        super.nextBytes(bytes);
    }

    int draws() {
        return draws.get();
    }
}
