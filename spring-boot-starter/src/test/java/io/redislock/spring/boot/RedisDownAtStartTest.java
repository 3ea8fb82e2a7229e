package io.redislock.spring.boot;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import io.redislock.LockListener;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.testsupport.EmbeddedRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** What happens when Redis cannot be reached while the application starts. */
class RedisDownAtStartTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final EmbeddedRedis redis = EmbeddedRedis.start();
    private final ApplicationContextRunner runner = Contexts.on(redis);
    private final ApplicationContextRunner patient = runner.withPropertyValues("redislock.fail-fast=false");
    private final String key = "down:" + UUID.randomUUID();

    @BeforeEach
    void down() {
        redis.kill();
    }

    @AfterEach
    void end() {
        redis.close();
    }

    @Test
    void theApplicationDoesNotStartAndIsToldTheAddressAndTheProperty() {
        runner.run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = new LocksNotStartedFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("127.0.0.1:" + redis.port(), "refused");
            assertThat(analysis.getAction()).contains("redislock.fail-fast=false", "spring.data.redis");
        });
    }

    @Test
    void sentinelsThatAreDownAreNamedToo() {
        Contexts.runner().withPropertyValues("spring.data.redis.sentinel.master=main",
                "spring.data.redis.sentinel.nodes=127.0.0.1:" + redis.port()).run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(new LocksNotStartedFailureAnalyzer().analyze(context.getStartupFailure())
                            .getDescription()).contains("Sentinels at 127.0.0.1:" + redis.port());
                });
    }

    @Test
    void wrongPasswordIsToldAsThat() {
        redis.restart();
        runner.withPropertyValues("spring.data.redis.url=redis://nobody:wrong@127.0.0.1:" + redis.port())
                .run(context -> {
                    assertThat(context).hasFailed();
                    FailureAnalysis analysis =
                            new LocksNotStartedFailureAnalyzer().analyze(context.getStartupFailure());
                    // Now and then Lettuce sees the end of the connection before the answer, and tells that.
                    assertThat(analysis.getDescription()).containsPattern("WRONGPASS|closed prematurely|reset")
                            .contains("127.0.0.1:" + redis.port()).doesNotContain("wrong@");
                });
    }

    @Test
    void redisThatDoesNotAnswerIsWaitedForAsLongAsSpringIsToldTo() {
        redis.restart();
        redis.pause();
        long begun = System.nanoTime();

        runner.withPropertyValues("spring.data.redis.timeout=500ms").run(context -> assertThat(context).hasFailed());

        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isBetween(Duration.ofMillis(500), Duration.ofSeconds(15));
    }

    @Test
    void withoutFailFastItStartsAndEveryLockIsUnavailableWithTheReason() {
        patient.run(context -> {
            assertThat(context).hasNotFailed();
            ReactiveRedisLocks locks = context.getBean(ReactiveRedisLocks.class);

            for (Publisher<?> call : callsOf(locks)) {
                assertThatThrownBy(() -> Flux.from(call).blockLast(PATIENCE))
                        .isInstanceOfSatisfying(LockUnavailableException.class, unavailable -> {
                            assertThat(unavailable.key()).isEqualTo(key);
                            assertThat(unavailable.outcomeUnknown()).isFalse();
                        })
                        .hasMessageContaining("127.0.0.1:" + redis.port())
                        .rootCause().hasMessageContaining("Connection refused");
            }
        });
    }

    @Test
    void acquisitionsThatFailForItAreToldToListeners() {
        List<String> told = new CopyOnWriteArrayList<>();
        LockListener listener = new LockListener() {
            @Override
            public void unavailable(String name, String about, Duration waited, LockUnavailableException failure) {
                told.add(name + " " + about);
                throw new IllegalStateException("changes nothing");
            }
        };
        patient.withBean(LockListener.class, () -> listener).run(context -> {
            ReactiveRedisLocks locks = context.getBean(ReactiveRedisLocks.class);

            assertThatThrownBy(() -> locks.acquire(key, LockOptions.defaults().name("orders")).block(PATIENCE))
                    .isInstanceOf(LockUnavailableException.class);
            assertThatThrownBy(() -> locks.query(key).block(PATIENCE)).isInstanceOf(LockUnavailableException.class);

            assertThat(told).containsExactly("orders " + key);
        });
    }

    @Test
    void withoutFailFastThereAreLocksSoonAfterRedisIsThere() {
        patient.run(context -> {
            ReactiveRedisLocks locks = context.getBean(ReactiveRedisLocks.class);
            Mono<String> madeBefore = locks.withLock(key, lock -> Mono.just("done"));
            assertThatThrownBy(() -> madeBefore.block(PATIENCE)).isInstanceOf(LockUnavailableException.class);

            redis.restart();

            await().atMost(PATIENCE).ignoreExceptionsInstanceOf(LockUnavailableException.class)
                    .until(() -> "done".equals(madeBefore.block(PATIENCE)));
            assertThat(locks.acquire(key).block(PATIENCE)).isNotNull();
        });
    }

    @Test
    void aContextThatIsClosedBeforeRedisIsThereStaysClosed() {
        ReactiveRedisLocks[] locks = new ReactiveRedisLocks[1];
        patient.run(context -> locks[0] = context.getBean(ReactiveRedisLocks.class));
        redis.restart();

        assertThatThrownBy(() -> locks[0].acquire(key).block(PATIENCE)).isInstanceOf(LockUnavailableException.class);
        assertThat(((SpringRedisLocks) locks[0]).isRunning()).isFalse();
        assertThat(locks[0].close().block(PATIENCE)).isNull();
    }

    @Test
    void argumentsAreLookedAtBeforeRedisIsThere() {
        patient.run(context -> {
            ReactiveRedisLocks locks = context.getBean(ReactiveRedisLocks.class);

            assertThatThrownBy(() -> locks.acquire("")).isInstanceOf(IllegalArgumentException.class);
        });
    }

    private List<Publisher<?>> callsOf(ReactiveRedisLocks locks) {
        Duration expiry = Duration.ofSeconds(1);
        return List.of(locks.acquire(key), locks.acquire(key, LockOptions.defaults()),
                locks.acquire(key, expiry, 1, expiry), locks.take(key, "value", expiry),
                locks.release(key, "value"), locks.extend(key, "value", expiry), locks.query(key),
                locks.withLock(key, lock -> Mono.just("never")),
                locks.withLock(key, LockOptions.defaults(), lock -> Mono.just("never")),
                locks.withLockMany(key, lock -> Flux.just("never")),
                locks.withLockMany(key, LockOptions.defaults(), lock -> Flux.just("never")));
    }
}
