package io.redislock.benchmarks;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.function.Supplier;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Workers that repeat one step for a while, each beginning the next when its last has ended. */
final class Load {

    /** For what is under way at the end: everybody who waits gets the lock once more. */
    private static final Duration LAST_STEPS_WITHIN = Duration.ofSeconds(60);

    private Load() {}

    /**
     * Runs the workers.
     *
     * @param stepOfWorker makes the supplier of each worker's steps; a step emits {@code true} when it did what it
     *     should
     * @return steps per second
     */
    static double perSecond(int workers, double seconds, IntFunction<Supplier<Mono<Boolean>>> stepOfWorker) {
        AtomicBoolean running = new AtomicBoolean(true);
        LongAdder done = new LongAdder();
        LongAdder begun = new LongAdder();
        long start = System.nanoTime();
        Mono<Void> allEnded = Flux.range(0, workers)
                .flatMap(worker -> repeated(stepOfWorker.apply(worker), running, begun, done), workers)
                .then();
        var ended = allEnded.toFuture();
        sleep(seconds);
        long steps = done.sum();
        double elapsed = (System.nanoTime() - start) / 1e9;
        running.set(false);
        Mono.fromFuture(ended).block(LAST_STEPS_WITHIN);
        if (done.sum() != begun.sum()) {
            throw new IllegalStateException(
                    (begun.sum() - done.sum()) + " of " + begun.sum() + " steps did not get their lock");
        }
        return steps / elapsed;
    }

    private static Mono<Void> repeated(
            Supplier<Mono<Boolean>> step, AtomicBoolean running, LongAdder begun, LongAdder done) {
        return Mono.defer(() -> {
                    begun.increment();
                    return step.get();
                })
                .doOnNext(success -> {
                    if (success) {
                        done.increment();
                    }
                })
                .repeat(running::get)
                .then();
    }

    static void sleep(double seconds) {
        try {
            Thread.sleep(Math.max(0, (long) (seconds * 1000)));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }
}
