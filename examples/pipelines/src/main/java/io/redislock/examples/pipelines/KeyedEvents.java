package io.redislock.examples.pipelines;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

import io.redislock.LockOptions;
import io.redislock.reactor.ReactiveRedisLocks;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A stream of events, handled one at a time for each account and side by side for different accounts, however many
 * processes read the stream.
 *
 * <pre>
 *   anna 1 --[======]                  process A
 *   anna 2 ----------------[======]    process A, waits for both
 *   anna 3 ----------[====]            process B, and so does this
 *   ben 1  --[====]                    process B
 * </pre>
 *
 * <p><b>Order.</b> One process begins the events of an account in the order in which they come, except one that gives
 * up its wait and is delivered again. Between processes there is none. Where the order matters, all events of an
 * account must come to one process, by a partition of the stream; the lock then covers the moment at which the
 * partition moves to another process.
 *
 * <p><b>Room.</b> An event that waits for its account has one of the {@code AT_ONCE} places. A hot account can fill
 * them all, so the wait has a bound.
 */
final class KeyedEvents {

    record Event(String account, int number) {
    }

    /** What became of an event. One with a failure is to be delivered again, and may be half done. */
    record Outcome(Event event, Optional<Throwable> failure) {

        static Outcome done(Event event) {
            return new Outcome(event, Optional.empty());
        }

        static Outcome failed(Event event, Throwable failure) {
            return new Outcome(event, Optional.of(failure));
        }
    }

    static final LockOptions PATIENT = LockOptions.defaults()
            .name("account")
            .expiry(Duration.ofSeconds(10))
            .waitAtMost(Duration.ofSeconds(30));

    private static final int AT_ONCE = 64;

    private final ReactiveRedisLocks locks;
    private final LockOptions options;
    private final Function<Event, Mono<Void>> handler;

    /** @param handler should bear that an event comes twice, as with any stream that repeats what was not confirmed */
    KeyedEvents(ReactiveRedisLocks locks, LockOptions options, Function<Event, Mono<Void>> handler) {
        this.locks = locks;
        this.options = options;
        this.handler = handler;
    }

    /**
     * Emits what became of each event, in the order in which they end. A failure is the event's own, whether the
     * account was busy to the end, Redis did not answer, the lock was lost or the handler failed: an error would end
     * the stream, and cancel what is under way. Cancelling cancels what is under way, and releases.
     */
    // snippet: per-key
    Flux<Outcome> process(Flux<Event> events) {
        return events.flatMap(event -> locks
                .withLock("account:" + event.account(), options, lock -> handler.apply(event))
                .thenReturn(Outcome.done(event))
                .onErrorResume(failure -> Mono.just(Outcome.failed(event, failure))), AT_ONCE);
    }
    // end
}
