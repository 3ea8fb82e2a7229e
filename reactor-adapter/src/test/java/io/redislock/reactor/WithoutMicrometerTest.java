package io.redislock.reactor;

import java.util.function.UnaryOperator;

import io.lettuce.core.RedisClient;
import io.redislock.testsupport.RedisServer;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The locks on a class path without Micrometer and what comes with it, as most users have it. */
class WithoutMicrometerTest {

    private static final String LISTENER = "io.redislock.reactor.micrometer.MicrometerLockListener";

    /** Runs in there. */
    public static final class Program implements UnaryOperator<String> {

        @Override
        public String apply(String uri) {
            try (RedisClient client = RedisClient.create(uri)) {
                ReactiveRedisLocks locks = ReactiveRedisLocks.create(client);
                String result = locks.withLock("WithoutMicrometerTest", lock -> Mono.just("worked")).block();
                locks.close().block();
                return result;
            }
        }
    }

    @Test
    void locksWorkAndOnlyTheListenerCannotBeMade() throws Exception {
        try (RedisServer server = RedisServer.shared();
                ClassPathWithout micrometer = new ClassPathWithout("/io/micrometer/")) {
            assertThat(micrometer.program(Program.class).apply(server.uri())).isEqualTo("worked");
            assertThatThrownBy(() -> micrometer.load(LISTENER).getConstructors())
                    .isInstanceOf(NoClassDefFoundError.class)
                    .hasMessageContaining("io/micrometer");
        }
    }
}
