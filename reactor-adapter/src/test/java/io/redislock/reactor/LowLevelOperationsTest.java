package io.redislock.reactor;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.redislock.LockUnavailableException;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Take, release, extend and query, with a value that the caller brings. */
class LowLevelOperationsTest {

    private static final Duration EXPIRY = Duration.ofSeconds(60);
    private static final Duration SHORTER = Duration.ofSeconds(20);
    private static final long EXPIRY_MILLIS = EXPIRY.toMillis();
    private static final long SOME_MILLIS_AGO = EXPIRY_MILLIS - Await.PATIENCE.toMillis();

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onTheSharedServer();

    private final ReactiveRedisLocks locks = FIXTURE.locks();
    private final RedisCommands<String, String> redis = FIXTURE.redis();
    private final String key = FIXTURE.freshKey();

    @Test
    void absentKeyIsTakenAsAPlainStringWithTheValueAndTheExpiry() {
        assertThat(take("host-1")).isTrue();

        assertThat(redis.type(key)).isEqualTo("string");
        assertThat(redis.get(key)).isEqualTo("host-1");
        assertThat(redis.pttl(key)).isBetween(SOME_MILLIS_AGO, EXPIRY_MILLIS);
        assertThat(keysLike(key + "*")).as("no companion").containsExactly(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"host-2", "host-1"})
    void heldKeyIsNotTakenNorChangedNotEvenForAnEqualValue(String value) {
        FIXTURE.put(key, "host-1", SHORTER);

        assertThat(take(value)).isFalse();

        assertThat(redis.get(key)).isEqualTo("host-1");
        assertThat(redis.pttl(key)).isBetween(1L, SHORTER.toMillis());
    }

    @Test
    void fractionsOfAMillisecondAreCutOff() {
        assertThat(locks.take(key, "host-1", Duration.ofNanos(1_999_999)).block()).isTrue();

        Await.until("the key expires", () -> !FIXTURE.exists(key));
    }

    @Test
    void releaseDeletesTheKeyOfItsValueOnly() {
        assertThat(release("host-1")).as("absent").isFalse();
        FIXTURE.put(key, "host-1", EXPIRY);
        assertThat(release("host-2")).as("another value").isFalse();
        assertThat(redis.get(key)).isEqualTo("host-1");
        assertThat(release("host-1")).as("the value").isTrue();
        assertThat(FIXTURE.exists(key)).isFalse();
        assertThat(release("host-1")).as("once more").isFalse();
    }

    @Test
    void extendSetsTheExpiryOfTheKeyOfItsValueToMoreOrLess() {
        FIXTURE.put(key, "host-1", EXPIRY);

        assertThat(extend("host-1", EXPIRY.multipliedBy(2))).isTrue();
        assertThat(redis.pttl(key)).isBetween(EXPIRY_MILLIS + 1, 2 * EXPIRY_MILLIS);
        assertThat(extend("host-1", SHORTER)).isTrue();
        assertThat(redis.pttl(key)).isBetween(1L, SHORTER.toMillis());
    }

    @Test
    void extendLeavesAnAbsentKeyAndAnotherValueAlone() {
        assertThat(extend("host-1", EXPIRY)).as("absent").isFalse();
        assertThat(FIXTURE.exists(key)).isFalse();
        FIXTURE.put(key, "host-2", SHORTER);
        assertThat(extend("host-1", EXPIRY)).as("another value").isFalse();
        assertThat(redis.pttl(key)).isBetween(1L, SHORTER.toMillis());
    }

    @Test
    void queryEmitsTheValueAndIsEmptyWithoutOne() {
        assertThat(locks.query(key).blockOptional()).isEmpty();
        redis.set(key, "host-1");
        assertThat(locks.query(key).blockOptional()).contains("host-1");
    }

    @Test
    void nothingIsSentBeforeASubscriptionAndEachOneIsAnOperation() {
        Mono<Boolean> taking = locks.take(key, "host-1", EXPIRY);
        Mono<Boolean> releasing = locks.release(key, "host-1");
        LocksFixture.settle(locks, FIXTURE.freshKey());
        assertThat(FIXTURE.exists(key)).isFalse();

        assertThat(taking.block()).isTrue();
        assertThat(taking.block()).isFalse();
        assertThat(releasing.block()).isTrue();
        assertThat(releasing.block()).isFalse();
        assertThat(taking.block()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ключ", "鍵:🔒", "é", "a b\r\nc\t\"'\\", "nul\u0000inside", " "})
    void anyTextIsKeyAndValueAsItsUtf8Bytes(String text) {
        String ours = key + text;

        assertThat(locks.take(ours, text, EXPIRY).block()).isTrue();
        assertThat(locks.query(ours).block()).isEqualTo(text);
        assertThat(bytesAt(ours)).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
        assertThat(locks.extend(ours, text, EXPIRY).block()).isTrue();
        assertThat(locks.release(ours, text).block()).isTrue();
        assertThat(bytesAt(ours)).isNull();
    }

    @Test
    void longestKeyIsTaken() {
        String longest = key + "🔒".repeat((65_536 - key.length()) / 4) + "x".repeat((65_536 - key.length()) % 4);
        assertThat(longest.getBytes(StandardCharsets.UTF_8)).hasSize(65_536);

        assertThat(locks.take(longest, "host-1", EXPIRY).block()).isTrue();
        assertThat(redis.get(longest)).isEqualTo("host-1");
        assertThat(locks.release(longest, "host-1").block()).isTrue();
    }

    static Stream<Named<BiFunction<ReactiveRedisLocks, String, Mono<?>>>> operations() {
        return Stream.of(
                Named.of("take", (locks, key) -> locks.take(key, "host-1", EXPIRY)),
                Named.of("release", (locks, key) -> locks.release(key, "host-1")),
                Named.of("extend", (locks, key) -> locks.extend(key, "host-1", EXPIRY)),
                Named.of("query", (locks, key) -> locks.query(key)));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void keyThatIsNoStringIsUnavailableAndTheMessageSaysSo(
            BiFunction<ReactiveRedisLocks, String, Mono<?>> operation) {
        redis.rpush(key, "a list");

        assertThatThrownBy(() -> operation.apply(locks, key).block())
                .isInstanceOfSatisfying(LockUnavailableException.class, unavailable -> {
                    assertThat(unavailable.outcomeUnknown()).isFalse();
                    assertThat(unavailable.key()).isEqualTo(key);
                })
                .hasMessageContaining("WRONGTYPE")
                .hasMessageContaining(key);
        assertThat(redis.lrange(key, 0, -1)).containsExactly("a list");
    }

    /** By a script, as the signature of {@code keys} differs between the versions of Lettuce. */
    private List<String> keysLike(String pattern) {
        return redis.eval("return redis.call('KEYS', ARGV[1])", ScriptOutputType.MULTI, new String[0], pattern);
    }

    private static byte[] bytesAt(String key) {
        try (var connection = FIXTURE.client().connect(ByteArrayCodec.INSTANCE)) {
            return connection.sync().get(key.getBytes(StandardCharsets.UTF_8));
        }
    }

    private boolean take(String value) {
        return locks.take(key, value, EXPIRY).block();
    }

    private boolean release(String value) {
        return locks.release(key, value).block();
    }

    private boolean extend(String value, Duration expiry) {
        return locks.extend(key, value, expiry).block();
    }
}
