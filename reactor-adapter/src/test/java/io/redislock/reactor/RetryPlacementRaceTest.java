package io.redislock.reactor;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.test.util.RaceTestUtils;
import reactor.util.context.ContextView;
import reactor.util.retry.Retry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where the retry stands decides whether resources get lost: the same cancel-safe parts, put together in the textbook's
 * order and in ours. Without Redis, so that nothing else can be the reason.
 */
class RetryPlacementRaceTest {

    private static final int ROUNDS = Rounds.of(40_000);

    private final AtomicReference<MonoSink<String>> arrival = new AtomicReference<>();
    private final Mono<String> attempt = Mono.create(arrival::set);
    private final AtomicInteger released = new AtomicInteger();

    /** The resource arrives when the cancel has passed the retry, and has not reached the source yet. */
    @Test
    void retryAroundACancelSafeSourceLosesWhatArrivesJustAfterTheCancel() {
        scope(detached(attempt).doOnCancel(this::arrive).retryWhen(backoff())).dispose();

        assertThat(released).as("released of one resource").hasValue(0);
    }

    @Test
    void retryInsideTheHandoverDoesNot() {
        scope(detached(attempt.retryWhen(backoff())).doOnCancel(this::arrive)).dispose();

        assertThat(released).hasValue(1);
    }

    @Test
    void retryInsideTheHandoverLosesNothingInAForcedRace() {
        for (int round = 0; round < ROUNDS; round++) {
            Disposable call = scope(detached(attempt.retryWhen(backoff())));
            RaceTestUtils.race(this::arrive, call::dispose);
        }

        assertThat(released).hasValue(ROUNDS);
    }

    private void arrive() {
        arrival.get().success("resource");
    }

    private Disposable scope(Mono<String> resource) {
        return Mono.usingWhen(resource,
                        owned -> Mono.never(),
                        owned -> release(),
                        (owned, error) -> release(),
                        owned -> release())
                .subscribe();
    }

    private Mono<String> detached(Mono<String> source) {
        return new Handover<>(() -> new Handover.Source<String>() {
            @Override
            public Mono<String> run() {
                return source;
            }

            @Override
            public void abandon(String resource, ContextView context) {
                released.incrementAndGet();
            }
        }, null);
    }

    private Mono<Void> release() {
        return Mono.fromRunnable(released::incrementAndGet);
    }

    private static Retry backoff() {
        return Retry.backoff(3, Duration.ofMillis(200));
    }
}
