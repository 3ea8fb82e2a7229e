package io.redislock.reactor;

import java.time.Duration;
import java.util.function.Supplier;

import io.redislock.LockOptions;
import io.redislock.lease.LeaseClock;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;
import reactor.util.retry.Retry;

/**
 * When a busy lock is asked for again, for one wait: Reactor's own backoff, within the bound of the whole wait, until
 * told to stop.
 *
 * <pre>
 *   busy ---- delay of the backoff -----------> again
 *   busy ---- woken within that delay --------> again, in addition: the same delay goes on
 *   busy ---- end of the wait comes first ----> again, for the last time
 *   busy, retries exhausted or wait over -----> that busy, as the error
 *   busy ---- stop ---------------------------> the error of stop
 * </pre>
 * Anything but busy is an error at once.
 */
final class WaitSchedule extends Retry implements Disposable {

    private static final Duration ENDLESS = Duration.ofDays(10_000);

    private final Retry backoff;
    private final @Nullable Duration waitAtMost;
    private final LeaseClock clock;
    private final long startNanos;
    private final Late<Boolean> stop;
    private final Supplier<Mono<Void>> woken;
    /** The one that the next scheduled attempt ends. Only one pause is at a time. */
    private volatile @Nullable Delay delay;
    private long delays;

    /**
     * @param startNanos when the wait began, by the clock
     * @param stop told when the wait must end
     * @param woken completes when an attempt in between is worthwhile
     */
    WaitSchedule(LockOptions options, LeaseClock clock, long startNanos, Late<Boolean> stop,
            Supplier<Mono<Void>> woken) {
        // Made per wait: a spec made earlier would hold on to the scheduler of that moment.
        this.backoff = Retry.backoff(options.maxRetries(), options.retryDelay())
                .maxBackoff(longer(options.retryDelay(), options.maxRetryDelay()))
                .jitter(options.jitter())
                .onRetryExhaustedThrow((spec, signal) -> signal.failure());
        this.waitAtMost = options.waitAtMost().orElse(null);
        this.clock = clock;
        this.startNanos = startNanos;
        this.stop = stop;
        this.woken = woken;
    }

    @Override
    public Publisher<?> generateCompanion(Flux<RetrySignal> signals) {
        return signals.concatMap(signal -> pause(signal.failure()), 1);
    }

    /** The wait is over. */
    @Override
    public void dispose() {
        Delay last = delay;
        if (last != null) {
            last.dispose();
        }
    }

    private Mono<Boolean> pause(Throwable failure) {
        if (!(failure instanceof Busy busy)) {
            return Mono.error(failure);
        }
        Duration left = left();
        if (left != null && (left.isNegative() || left.isZero())) {
            return Mono.error(busy);
        }
        Delay current = delay;
        if (current == null) {
            current = new Delay(backoff.generateCompanion(Flux.just(new Counted(delays++, busy))));
            delay = current;
        }
        Mono<Boolean> end = current.end().thenReturn(true);
        Mono<Boolean> wake = woken.get().thenReturn(false);
        // The delay stands first: when several are ready at once, exhausted retries must win.
        return (left == null ? Mono.firstWithSignal(end, wake, stop.mono())
                : Mono.firstWithSignal(end, Mono.delay(countable(left)).thenReturn(true), wake, stop.mono()))
                .doOnNext(scheduled -> {
                    if (scheduled) {
                        dispose();
                        delay = null;
                    }
                });
    }

    private @Nullable Duration left() {
        return waitAtMost == null ? null : waitAtMost.minusNanos(clock.nanoTime() - startNanos);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    /** A wait without end, as some write it, is one that schedulers can still count. */
    private static Duration countable(Duration wait) {
        return wait.compareTo(ENDLESS) < 0 ? wait : ENDLESS;
    }

    /** What the backoff counts: its own delays, not the attempts that wake-ups put in between. */
    private record Counted(long totalRetries, Throwable failure) implements Retry.RetrySignal {

        @Override
        public long totalRetriesInARow() {
            return totalRetries;
        }

        @Override
        public ContextView retryContextView() {
            return Context.empty();
        }
    }
}
