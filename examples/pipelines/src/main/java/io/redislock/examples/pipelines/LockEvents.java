package io.redislock.examples.pipelines;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.redislock.LockListener;
import io.redislock.LockLoss;
import reactor.core.publisher.Mono;

/** Counts what happens to locks, so that the story can go on when it has happened, and not before. */
final class LockEvents implements LockListener {

    private static final Duration LOOKS_EVERY = Duration.ofMillis(2);

    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger renewed = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();

    /** Completes when so many callers wait for a busy lock at the same time. */
    Mono<Void> whenWaiting(int callers) {
        return when(() -> waiting.get() >= callers);
    }

    /** Completes when leases were renewed so many times since the beginning. */
    Mono<Void> whenRenewed(int times) {
        return when(() -> renewed.get() >= times);
    }

    /** Completes when so many locks were lost since the beginning. */
    Mono<Void> whenLost(int locks) {
        return when(() -> lost.get() >= locks);
    }

    private static Mono<Void> when(BooleanSupplier condition) {
        return Mono.delay(LOOKS_EVERY).repeat(() -> !condition.getAsBoolean()).then();
    }

    @Override
    public void waiting(String name, String key) {
        waiting.incrementAndGet();
    }

    @Override
    public void waitEnded(String name, String key) {
        waiting.decrementAndGet();
    }

    @Override
    public void extended(String name, String key) {
        renewed.incrementAndGet();
    }

    @Override
    public void lost(String name, String key, LockLoss reason, Duration heldFor) {
        lost.incrementAndGet();
    }
}
