package io.redislock.reactor;

import java.time.Duration;

import io.redislock.LockOptions;
import io.redislock.lease.LeaseClock;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * When a busy lock is asked for again: Reactor's own backoff, within the bound of the whole wait, until told to stop.
 *
 * <pre>
 *   busy ---- delay of the backoff -----------> again
 *   busy ---- end of the wait comes first ----> again, for the last time
 *   busy, retries exhausted or wait over -----> that busy, as the error
 *   busy ---- stop ---------------------------> the error of stop
 * </pre>
 * Anything but busy is an error at once.
 */
final class WaitSchedule extends Retry {

    private static final Duration ENDLESS = Duration.ofDays(10_000);

    private final Retry backoff;
    private final @Nullable Duration waitAtMost;
    private final LeaseClock clock;
    private final long startNanos;
    private final Mono<Void> stop;

    /**
     * @param startNanos when the wait began, by the clock
     * @param stop fails when the wait must end
     */
    WaitSchedule(LockOptions options, LeaseClock clock, long startNanos, Mono<Void> stop) {
        // Made per wait: a spec made earlier would hold on to the scheduler of that moment.
        this.backoff = Retry.backoff(options.maxRetries(), options.retryDelay())
                .maxBackoff(longer(options.retryDelay(), options.maxRetryDelay()))
                .jitter(options.jitter())
                .onRetryExhaustedThrow((spec, signal) -> signal.failure());
        this.waitAtMost = options.waitAtMost().orElse(null);
        this.clock = clock;
        this.startNanos = startNanos;
        this.stop = stop;
    }

    @Override
    public Publisher<?> generateCompanion(Flux<RetrySignal> signals) {
        return signals.concatMap(signal -> pause(signal.copy()));
    }

    private Mono<?> pause(RetrySignal signal) {
        if (!(signal.failure() instanceof Busy busy)) {
            return Mono.error(signal.failure());
        }
        // The delay stands first: when several are ready at once, exhausted retries must win.
        Mono<?> delay = Mono.from(backoff.generateCompanion(Flux.just(signal)));
        if (waitAtMost == null) {
            return Mono.firstWithSignal(delay, stop);
        }
        Duration left = waitAtMost.minusNanos(clock.nanoTime() - startNanos);
        if (left.isNegative() || left.isZero()) {
            return Mono.error(busy);
        }
        return Mono.firstWithSignal(delay, Mono.delay(countable(left)), stop);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** A wait without end, as some write it, is one that schedulers can still count. */
    private static Duration countable(Duration wait) {
        return wait.compareTo(ENDLESS) < 0 ? wait : ENDLESS;
    }
}
