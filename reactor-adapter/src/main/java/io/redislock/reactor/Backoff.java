package io.redislock.reactor;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.redislock.LockOptions;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;
import reactor.util.context.ContextView;
import reactor.util.retry.Retry;

/**
 * The delays between the attempts of one wait, as Reactor's {@code Retry.backoff} computes them. It is asked for each
 * delay with a scheduler that notes it, and a timer of our own waits: one who waits would else hold on to more than a
 * kilobyte of operators.
 */
final class Backoff {

    private final LockOptions options;
    private long delays;

    Backoff(LockOptions options) {
        this.options = options;
    }

    /** The next delay, {@code null} when retries are exhausted. */
    @Nullable Duration next() {
        Noted noted = new Noted();
        Retry backoff = Retry.backoff(options.maxRetries(), options.retryDelay())
                .maxBackoff(longer(options.retryDelay(), options.maxRetryDelay()))
                .jitter(options.jitter())
                .scheduler(noted);
        Flux.from(backoff.generateCompanion(Flux.just(new Counted(delays++))))
                .subscribe(tick -> { }, exhausted -> { })
                .dispose();
        return noted.delay;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** Notes what is scheduled and never runs it. */
    private static final class Noted implements Scheduler {

        private @Nullable Duration delay;

        @Override
        public Disposable schedule(Runnable task, long in, TimeUnit unit) {
            delay = Duration.of(in, unit.toChronoUnit());
            return Disposables.disposed();
        }

        @Override
        public Disposable schedule(Runnable task) {
            return schedule(task, 0, TimeUnit.NANOSECONDS);
        }

        @Override
        public Worker createWorker() {
            throw new UnsupportedOperationException("A backoff has single delays");
        }
    }

    /** What the backoff counts: its own delays, not the attempts that wake-ups put in between. */
    private record Counted(long totalRetries) implements Retry.RetrySignal {

        private static final Busy BUSY = new Busy(null);

        @Override
        public long totalRetriesInARow() {
            return totalRetries;
        }

        @Override
        public Throwable failure() {
            return BUSY;
        }

        @Override
        public ContextView retryContextView() {
            return Context.empty();
        }
    }
}
