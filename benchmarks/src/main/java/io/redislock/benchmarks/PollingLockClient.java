package io.redislock.benchmarks;

import java.time.Duration;

import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** Asks again after 50 to 250 ms until the key is free, as libraries do that have nothing to be woken by. */
final class PollingLockClient implements LockClient {

    private static final Retry BACKOFF = Retry.backoff(Long.MAX_VALUE, Duration.ofMillis(50))
            .maxBackoff(Duration.ofMillis(250))
            .filter(Busy.class::isInstance);

    private final HandWrittenLock lock;
    private final SetArgs ifAbsent;

    PollingLockClient(RedisURI redis, Duration lease) {
        this.lock = new HandWrittenLock(redis, lease);
        this.ifAbsent = SetArgs.Builder.nx().px(lease);
    }

    private static final class Busy extends RuntimeException {

        static final Busy BUSY = new Busy();

        private Busy() {
            super("busy", null, false, false);
        }
    }

    @Override
    public Mono<Boolean> cycle(String key) {
        return Mono.defer(() -> {
            String token = lock.token();
            return lock.commands().set(key, token, ifAbsent).flatMap(taken -> lock.release(key, token));
        });
    }

    @Override
    public Mono<Grant> acquire(String key) {
        return Mono.defer(() -> {
                    String token = lock.token();
                    return lock.commands().set(key, token, ifAbsent)
                            .<Grant>map(taken -> () -> lock.release(key, token));
                })
                .switchIfEmpty(Mono.error(Busy.BUSY))
                .retryWhen(BACKOFF);
    }

    @Override
    public void close() {
        lock.close();
    }
}
