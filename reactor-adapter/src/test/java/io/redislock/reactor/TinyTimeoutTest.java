package io.redislock.reactor;

import java.time.Duration;

import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** A timeout so short that its timer races with the sending: what is called without effect had none. */
class TinyTimeoutTest {

    private static final int ROUNDS = 200;

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onTheSharedServer();

    @ParameterizedTest
    @ValueSource(longs = {1, 10_000, 50_000, 200_000})
    void knownOutcomeIsTrue(long nanos) {
        ReactiveRedisLocks hasty = FIXTURE.locks(builder -> builder
                .defaults(LockOptions.defaults().commandTimeout(Duration.ofNanos(nanos))));
        for (int round = 0; round < ROUNDS; round++) {
            String key = FIXTURE.freshKey();
            FIXTURE.put(key, "ours", Duration.ofSeconds(60));

            Boolean withoutEffect = hasty.release(key, "ours").map(released -> false)
                    .onErrorResume(LockUnavailableException.class, failure -> Mono.just(!failure.outcomeUnknown()))
                    .block(Await.PATIENCE);
            // On the same connection, so what was sent before has run.
            hasty.acquire(key + ":after", LockOptions.defaults()).flatMap(RedisLock::release).block(Await.PATIENCE);

            if (withoutEffect) {
                assertThat(FIXTURE.exists(key)).as("the key of round %s", round).isTrue();
            }
        }
    }
}
