package io.redislock.reactor;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.reactive.RedisReactiveCommands;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What one writes without this library: {@code SET NX PX}, {@code retryWhen} with backoff, {@code usingWhen}. It leaves
 * keys behind under the same cancelling that leaves none in {@link NoOrphanTest}; that is what shows that that test can
 * see orphans at all.
 */
class TextbookOrphansTest {

    private static final int ROUNDS_AT_ONCE = 500;
    private static final int MOST_ROUNDS = 50_000;
    private static final String DELETE_IF_OWNER =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

    @RegisterExtension
    static final LocksFixture redis = LocksFixture.onAServerOfItsOwn();

    private final AtomicInteger worked = new AtomicInteger();

    @Test
    void textbookCompositionLeavesKeysBehind() throws InterruptedException {
        int rounds = 0;
        long left = 0;
        while (left == 0 && rounds < MOST_ROUNDS) {
            int first = rounds;
            new CancelRounds(ROUNDS_AT_ONCE, worked::get).cancelling(round -> textbook("textbook:" + (first + round)));
            rounds += ROUNDS_AT_ONCE;
            left = leftAfterTwoSeconds();
        }
        System.out.printf("textbook: %d rounds, %d worked, %d orphans%n", rounds, worked.get(), left);
        assertThat(left).isPositive();
        assertThat(worked).hasPositiveValue();
    }

    private Mono<String> textbook(String key) {
        RedisReactiveCommands<String, String> commands = redis.reactiveRedis();
        Mono<String> attempt = Mono.defer(() -> {
            String value = UUID.randomUUID().toString();
            return commands.set(key, value, SetArgs.Builder.nx().px(60_000))
                    .thenReturn(value)
                    .switchIfEmpty(Mono.error(new IllegalStateException("busy")));
        });
        return Mono.usingWhen(
                attempt.retryWhen(Retry.backoff(5, Duration.ofMillis(1))),
                value -> Mono.fromSupplier(() -> {
                    worked.incrementAndGet();
                    return value;
                }),
                value -> release(key, value),
                (value, error) -> release(key, value),
                value -> release(key, value));
    }

    private Flux<Long> release(String key, String value) {
        return redis.reactiveRedis().eval(DELETE_IF_OWNER, ScriptOutputType.INTEGER, new String[] {key}, value);
    }

    private long leftAfterTwoSeconds() {
        long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
        long left;
        do {
            left = redis.redis().dbsize();
        } while (left > 0 && System.nanoTime() - end < 0);
        return left;
    }
}
