package io.redislock.reactor;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.lettuce.core.RedisClient;
import io.redislock.testsupport.RedisServer;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The locks on a class path without Kotlin and its coroutines, as those have it who use Java alone. */
class WithoutKotlinTest {

    private static final String EXTENSIONS = "io.redislock.reactor.ReactiveRedisLocksExtensionsKt";

    /** Runs in there, and does a little of everything. */
    public static final class Program implements UnaryOperator<String> {

        private static final Duration EXPIRY = Duration.ofSeconds(30);
        private static final String KEY = "WithoutKotlinTest";

        @Override
        public String apply(String uri) {
            try (RedisClient client = RedisClient.create(uri)) {
                ReactiveRedisLocks locks = ReactiveRedisLocks.create(client);
                Stream<Mono<?>> operations = Stream.of(
                        locks.withLock(KEY, lock -> Mono.just("worked")),
                        locks.withLockMany(KEY, lock -> Mono.just("worked")).next(),
                        Mono.usingWhen(locks.acquire(KEY), lock -> lock.extend(EXPIRY), RedisLock::release),
                        locks.take(KEY, "ours", EXPIRY),
                        locks.extend(KEY, "ours", EXPIRY),
                        locks.query(KEY),
                        locks.release(KEY, "ours"));
                List<Object> results = operations.<Object>map(Mono::block).toList();
                locks.close().block();
                return results.toString();
            }
        }
    }

    @Test
    void locksWorkAndOnlyTheExtensionsCannotBeUsed() throws Exception {
        try (RedisServer server = RedisServer.shared();
                ClassPathWithout kotlin = new ClassPathWithout("/org/jetbrains/")) {
            assertThat(kotlin.program(Program.class).apply(server.uri()))
                    .isEqualTo("[worked, worked, true, true, true, ours, true]");
            assertThatThrownBy(() -> kotlin.load("kotlin.Unit")).isInstanceOf(ClassNotFoundException.class);
            assertThatThrownBy(() -> kotlin.load(EXTENSIONS).getMethods())
                    .isInstanceOf(NoClassDefFoundError.class)
                    .hasMessageContaining("kotlin");
        }
        assertThat(Class.forName(EXTENSIONS).getMethods()).as("with Kotlin, they are there").isNotEmpty();
    }
}
