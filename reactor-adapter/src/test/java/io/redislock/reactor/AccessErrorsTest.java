package io.redislock.reactor;

import java.time.Duration;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import io.lettuce.core.RedisURI;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What Redis refuses is unavailable, at once and with its own words: never busy, never tried again. */
class AccessErrorsTest {

    private static final Duration EXPIRY = Duration.ofSeconds(60);

    /** Would be seen in the time a test takes. */
    private static final LockOptions PERSISTENT = LockOptions.defaults().retry(100, Duration.ofSeconds(60));

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn(
            "user nokeys on >secret ~elsewhere:* +@all",
            "user noevalsha on >secret ~* +@all -evalsha",
            "user noeval on >secret ~* +@all -eval",
            "user noset on >secret ~* +@all -set",
            "user nodel on >secret ~* +@all -del");

    private final String key = FIXTURE.freshKey();

    static Stream<Named<BiFunction<ReactiveRedisLocks, String, Mono<?>>>> waysToTakeALock() {
        return Stream.of(
                Named.of("take", (locks, key) -> locks.take(key, "ours", EXPIRY)),
                Named.of("acquire", (locks, key) -> locks.acquire(key, PERSISTENT)),
                Named.of("withLock", (locks, key) -> locks.withLock(key, PERSISTENT, lock -> Mono.just("worked"))));
    }

    static Stream<Arguments> refusedUsers() {
        return Stream.of("nokeys", "noevalsha", "noeval", "noset")
                .flatMap(user -> waysToTakeALock().map(operation -> Arguments.of(user, operation)));
    }

    @ParameterizedTest
    @MethodSource("refusedUsers")
    void missingPermissionIsSaidAndTheOutcomeIsKnown(String user,
            BiFunction<ReactiveRedisLocks, String, Mono<?>> operation) {
        ReactiveRedisLocks locks = as(user);
        FIXTURE.redis().scriptFlush();

        assertThatThrownBy(() -> operation.apply(locks, key).block(Await.PATIENCE))
                .isInstanceOfSatisfying(LockUnavailableException.class, unavailable -> {
                    assertThat(unavailable.outcomeUnknown()).isFalse();
                    assertThat(unavailable.key()).isEqualTo(key);
                })
                .hasMessageContaining(key)
                .hasMessageContaining("NOPERM")
                .hasMessageContaining("ACL SETUSER");
        assertThat(FIXTURE.exists(key)).isFalse();
    }

    @ParameterizedTest
    @MethodSource("waysToTakeALock")
    void keyThatIsNoStringIsSaidAndTheOutcomeIsKnown(BiFunction<ReactiveRedisLocks, String, Mono<?>> operation) {
        FIXTURE.redis().rpush(key, "a list");

        assertThatThrownBy(() -> operation.apply(FIXTURE.locks(), key).block(Await.PATIENCE))
                .isInstanceOfSatisfying(LockUnavailableException.class, unavailable -> {
                    assertThat(unavailable.outcomeUnknown()).isFalse();
                    assertThat(unavailable.key()).isEqualTo(key);
                })
                .hasMessageContaining(key)
                .hasMessageContaining("WRONGTYPE");
        assertThat(FIXTURE.redis().lrange(key, 0, -1)).containsExactly("a list");
    }

    @Test
    void userWithTheNamedPermissionsIsServed() {
        ReactiveRedisLocks locks = as("noeval");
        FIXTURE.loadScripts();

        assertThat(locks.withLock(key, lock -> lock.extend(EXPIRY)).block(Await.PATIENCE)).isTrue();
    }

    @Test
    void releaseThatIsRefusedIsFalseAndNoError() {
        ReactiveRedisLocks locks = as("nodel");
        Duration life = Duration.ofMillis(500);

        RedisLock lock = locks.acquire(key, LockOptions.defaults().expiry(life)).block(Await.PATIENCE);

        assertThat(lock.release().block(Await.PATIENCE)).isFalse();
        assertThat(lock.isAcquired()).isFalse();
        Await.until("the key expires", () -> !FIXTURE.exists(key));
    }

    private static ReactiveRedisLocks as(String user) {
        RedisURI uri = RedisURI.builder(RedisURI.create(FIXTURE.server().uri()))
                .withAuthentication(user, "secret".toCharArray())
                .build();
        return FIXTURE.locks(builder -> builder.uri(uri));
    }
}
