package io.redislock.reactor;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.redislock.LockOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/** How many scripts and queries an operation sends, by the server's own count. */
class RoundTripsTest {

    private static final Duration EXPIRY = Duration.ofSeconds(60);
    private static final LockOptions ONCE = LockOptions.defaults().retry(0, Duration.ofMillis(1));

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final ReactiveRedisLocks locks = FIXTURE.locks();
    private final String free = FIXTURE.freshKey();
    private final String ours = FIXTURE.freshKey();
    private final String busy = FIXTURE.freshKey();

    private interface Operation {

        Mono<?> on(ReactiveRedisLocks locks, String key);
    }

    @BeforeEach
    void everyScriptIsKnownAndTheCountIsZero() {
        FIXTURE.loadScripts();
        FIXTURE.put(ours, "ours", EXPIRY);
        FIXTURE.put(busy, "another", EXPIRY);
        FIXTURE.resetStats();
    }

    static Stream<Arguments> operations() {
        return Stream.of(
                operation("take", (locks, key) -> locks.take(key, "ours", EXPIRY)),
                operation("release", (locks, key) -> locks.release(key, "ours")),
                operation("extend", (locks, key) -> locks.extend(key, "ours", EXPIRY)),
                operation("acquire", (locks, key) -> locks.acquire(key, ONCE)));
    }

    private static Arguments operation(String name, Operation operation) {
        return Arguments.argumentSet(name, operation);
    }

    @ParameterizedTest
    @MethodSource("operations")
    void eachOperationIsOneScriptWhetherTheKeyIsFreeOursOrBusy(Operation operation) {
        operation.on(locks, free).block();
        assertThat(FIXTURE.scriptCalls()).as("free").isEqualTo(1);
        operation.on(locks, ours).block();
        assertThat(FIXTURE.scriptCalls()).as("ours").isEqualTo(2);
        operation.on(locks, busy).block();
        assertThat(FIXTURE.scriptCalls()).as("busy").isEqualTo(3);
    }

    @Test
    void queryIsOneGet() {
        locks.query(free).block();
        locks.query(busy).block();

        assertThat(FIXTURE.calls("get")).isEqualTo(2);
        assertThat(FIXTURE.scriptCalls()).isZero();
    }

    @Test
    void handleExtendsAndReleasesWithOneScriptEachAndAnswersTheRestItself() {
        RedisLock lock = locks.acquire(free).block();
        FIXTURE.resetStats();

        assertThat(lock.isAcquired()).isTrue();
        assertThat(lock.remaining()).isPositive();
        assertThat(FIXTURE.scriptCalls()).isZero();
        assertThat(lock.extend(EXPIRY).block()).isTrue();
        assertThat(FIXTURE.scriptCalls()).isEqualTo(1);
        assertThat(lock.release().block()).isTrue();
        assertThat(FIXTURE.scriptCalls()).isEqualTo(2);
    }

    @Test
    void manySubscribersToAReleaseAtOnceSendOneScriptAndHaveOneOutcome() {
        RedisLock lock = locks.acquire(free).block();
        FIXTURE.resetStats();
        Mono<Boolean> release = lock.release();

        List<Boolean> outcomes = Flux.range(0, 100)
                .flatMap(i -> (i % 2 == 0 ? release : lock.release()).subscribeOn(Schedulers.parallel()), 100)
                .collectList().block(Await.PATIENCE);

        assertThat(outcomes).hasSize(100).containsOnly(true);
        assertThat(lock.release().block()).isTrue();
        assertThat(FIXTURE.scriptCalls()).isEqualTo(1);
    }

    @Test
    void extensionAfterTheReleaseSendsNothing() {
        RedisLock lock = locks.acquire(free).block();
        lock.release().block();
        FIXTURE.resetStats();

        assertThat(lock.extend(EXPIRY).block()).isFalse();

        assertThat(FIXTURE.scriptCalls()).isZero();
    }

    @Test
    void scopedWorkCostsTwoScripts() {
        locks.withLock(free, lock -> Mono.just("worked")).block();

        assertThat(FIXTURE.scriptCalls()).isEqualTo(2);
    }

    @Test
    void eachRetryIsOneScript() {
        locks.acquire(busy, ONCE.retry(4, Duration.ofMillis(1)).maxRetryDelay(Duration.ofMillis(1))).block();

        assertThat(FIXTURE.scriptCalls()).isEqualTo(5);
    }

    @Test
    void nothingButScriptsAndQueriesIsSent() {
        locks.take(free, "ours", EXPIRY).block();
        locks.query(free).block();
        locks.release(free, "ours").block();
        locks.withLock(free, lock -> lock.extend(EXPIRY)).block();

        String sent = FIXTURE.redis().info("commandstats");
        assertThat(sent.lines()
                .filter(line -> line.startsWith("cmdstat_") && !line.startsWith("cmdstat_config"))
                .map(line -> line.substring("cmdstat_".length(), line.indexOf(':')))
                .toList())
                .isSubsetOf("evalsha", "get", "set", "pttl", "pexpire", "del");
    }
}
