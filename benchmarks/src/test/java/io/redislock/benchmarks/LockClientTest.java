package io.redislock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

import io.lettuce.core.RedisURI;
import io.redislock.testsupport.EmbeddedRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is compared must be a lock: each library's adapter keeps others out and lets them in again. */
class LockClientTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private static EmbeddedRedis redis;

    @BeforeAll
    static void start() {
        redis = EmbeddedRedis.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @ParameterizedTest
    @EnumSource
    void aHeldKeyIsNotFreeAndAReleasedOneIs(LockLibrary library) {
        String key = library.key("cycled");
        try (LockClient one = library.open(RedisURI.create(redis.uri()));
                LockClient two = library.open(RedisURI.create(redis.uri()))) {
            Grant grant = one.acquire(key).block(SOON);
            assertThat(two.cycle(key).blockOptional(SOON).orElse(false)).isFalse();
            grant.release().then().block(SOON);
            assertThat(two.cycle(key).block(SOON)).isTrue();
            assertThat(one.cycle(key).block(SOON)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWaiterGetsTheLockWhenItIsReleasedAndNotBefore(LockLibrary library) throws Exception {
        String key = library.key("waited");
        try (LockClient client = library.open(RedisURI.create(redis.uri()))) {
            Grant first = client.acquire(key).block(SOON);
            var waiter = client.acquire(key).toFuture();
            Thread.sleep(200);
            assertThat(waiter).isNotDone();
            first.release().then().block(SOON);
            Grant second = waiter.get(20, java.util.concurrent.TimeUnit.SECONDS);
            second.release().then().block(SOON);
        }
    }
}
