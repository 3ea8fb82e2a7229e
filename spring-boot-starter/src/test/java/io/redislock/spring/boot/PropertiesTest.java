package io.redislock.spring.boot;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import io.redislock.LockOptions;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.reactor.RedisLock;
import io.redislock.testsupport.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** What properties become. */
class PropertiesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Test
    void whatIsNotSetIsAsTheLibraryHasIt() {
        assertThat(options(Map.of())).isEqualTo(LockOptions.defaults());
    }

    @Test
    void everyOptionCanBeSet() {
        assertThat(options(Map.ofEntries(Map.entry("name", "orders"), Map.entry("expiry", "10s"),
                Map.entry("max-retries", "7"), Map.entry("retry-delay", "50ms"), Map.entry("max-retry-delay", "1s"),
                Map.entry("jitter", "0.25"), Map.entry("wait-at-most", "20s"), Map.entry("command-timeout", "1s"),
                Map.entry("auto-renew", "5m"), Map.entry("fenced", "true"))))
                .isEqualTo(LockOptions.defaults().name("orders").expiry(Duration.ofSeconds(10))
                        .retry(7, Duration.ofMillis(50)).maxRetryDelay(Duration.ofSeconds(1)).jitter(0.25)
                        .waitAtMost(Duration.ofSeconds(20)).commandTimeout(Duration.ofSeconds(1))
                        .autoRenew(Duration.ofMinutes(5)).fenced());
    }

    @Test
    void eitherHalfOfTheRetriesCanBeSetAlone() {
        assertThat(options(Map.of("max-retries", "7")))
                .isEqualTo(LockOptions.defaults().retry(7, LockOptions.defaults().retryDelay()));
        assertThat(options(Map.of("retry-delay", "50ms")))
                .isEqualTo(LockOptions.defaults().retry(3, Duration.ofMillis(50)));
    }

    @Test
    void aWaitThatIsBoundedByTimeIsNotBoundedByRetriesUnlessTheyAreSet() {
        assertThat(options(Map.of("wait-at-most", "5s")).maxRetries()).isEqualTo(Long.MAX_VALUE);
        assertThat(options(Map.of("wait-at-most", "5s", "retry-delay", "50ms")).maxRetries())
                .isEqualTo(Long.MAX_VALUE);
        assertThat(options(Map.of("wait-at-most", "5s", "max-retries", "7")).maxRetries()).isEqualTo(7);
    }

    @Test
    void lastFencingTokenIsKeptAsLongAsTheyAsk() {
        String key = "order:" + UUID.randomUUID();
        Contexts.on(RedisServer.shared()).withPropertyValues("redislock.fenced=true", "redislock.fencing-retention=7d")
                .run(context -> {
                    ReactiveRedisLocks locks = context.getBean(ReactiveRedisLocks.class);
                    ReactiveStringRedisTemplate redis = context.getBean(ReactiveStringRedisTemplate.class);

                    RedisLock lock = locks.acquire(key).block(PATIENCE);

                    assertThat(lock.fencingToken()).isPresent();
                    assertThat(redis.getExpire("redislock:minted{" + key + "}").block(PATIENCE))
                            .isBetween(Duration.ofDays(6), Duration.ofDays(7));
                });
    }

    @Test
    void theBeanWorksByThem() {
        String key = "order:" + UUID.randomUUID();
        Contexts.on(RedisServer.shared()).withPropertyValues("redislock.key-prefix=shop:", "redislock.expiry=1m",
                "redislock.max-retries=0").run(context -> {
                    ReactiveRedisLocks locks = context.getBean(ReactiveRedisLocks.class);
                    ReactiveStringRedisTemplate redis = context.getBean(ReactiveStringRedisTemplate.class);

                    String value = locks.acquire(key).block(PATIENCE).value();

                    assertThat(redis.opsForValue().get("shop:" + key).block(PATIENCE)).isEqualTo(value);
                    assertThat(redis.getExpire("shop:" + key).block(PATIENCE))
                            .isBetween(Duration.ofSeconds(50), Duration.ofSeconds(60));
                    long begun = System.nanoTime();
                    assertThat(locks.acquire(key).block(PATIENCE)).isNull();
                    // No retry at all: the first of three would have waited for 200 ms.
                    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMillis(1_000));
                });
    }

    @ParameterizedTest
    @CsvSource({"expiry, 2ms", "expiry, -1s", "max-retries, -1", "retry-delay, 0s", "max-retry-delay, 0s",
        "jitter, 1.5", "wait-at-most, -1s", "command-timeout, 0s", "auto-renew, -1s", "name, ' '", "close-timeout, -1s",
        "fencing-retention, 0s",
        "key-prefix, \ud800"})
    void aValueThatTheLibraryRefusesFailsAtStartUpWithTheNameOfItsProperty(String property, String value) {
        Contexts.on(RedisServer.shared()).withPropertyValues("redislock." + property + "=" + value).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure()).rootCause()
                    .isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, invalid -> {
                        assertThat(invalid.getName()).isEqualTo("redislock." + property);
                        assertThat(invalid.getReason()).isNotBlank();
                    });
        });
    }

    @Test
    void aValueThatIsNoneFailsAtStartUpWithTheNameOfItsProperty() {
        Contexts.on(RedisServer.shared()).withPropertyValues("redislock.expiry=soon").run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure()).hasStackTraceContaining("redislock.expiry");
        });
    }

    private static LockOptions options(Map<String, String> values) {
        MapConfigurationPropertySource source = new MapConfigurationPropertySource();
        values.forEach((name, value) -> source.put("redislock." + name, value));
        return new Binder(source).bindOrCreate("redislock", RedisLockProperties.class).lockOptions();
    }
}
