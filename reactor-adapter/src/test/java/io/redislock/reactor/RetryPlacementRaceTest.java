package io.redislock.reactor;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.test.util.RaceTestUtils;
import reactor.util.retry.Retry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where the retry stands decides whether resources get lost: the same cancel-safe parts, put together in the textbook's
 * order and in ours, in a forced race of a resource's arrival with a cancel. Without Redis, so that nothing else can be
 * the reason.
 */
class RetryPlacementRaceTest {

    private static final int ROUNDS = Rounds.of(40_000);
    private static final int MOST_ROUNDS_TO_SEE_A_LEAK = 400_000;

    private final AtomicInteger released = new AtomicInteger();

    @Test
    void retryAroundACancelSafeSourceLosesResources() {
        int rounds = 0;
        while (released.get() == rounds && rounds < MOST_ROUNDS_TO_SEE_A_LEAK) {
            race(attempt -> detached(attempt).retryWhen(backoff()));
            rounds++;
        }

        assertThat(released.get()).as("released of %s resources", rounds).isLessThan(rounds);
        System.out.println("textbook: first resource lost in round " + rounds);
    }

    @Test
    void retryInsideTheHandoverLosesNothing() {
        for (int round = 0; round < ROUNDS; round++) {
            race(attempt -> detached(attempt.retryWhen(backoff())));
        }

        assertThat(released.get()).isEqualTo(ROUNDS);
    }

    /** One resource arrives while its subscriber cancels; afterwards somebody must have released it. */
    private void race(UnaryOperator<Mono<String>> composition) {
        AtomicReference<MonoSink<String>> arrival = new AtomicReference<>();
        Mono<String> attempt = Mono.create(arrival::set);
        Disposable call = Mono.usingWhen(composition.apply(attempt),
                        resource -> Mono.never(),
                        resource -> release(),
                        (resource, error) -> release(),
                        resource -> release())
                .subscribe();

        RaceTestUtils.race(() -> arrival.get().success("resource"), call::dispose);
    }

    private Mono<String> detached(Mono<String> source) {
        return new Handover<>(cancelled -> source, (resource, context) -> released.incrementAndGet(), null);
    }

    private Mono<Void> release() {
        return Mono.fromRunnable(released::incrementAndGet);
    }

    private static Retry backoff() {
        return Retry.backoff(3, Duration.ofMillis(200));
    }
}
