package io.redislock.reactor;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.TimeoutOptions;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** A server that is down, or that does not answer: unavailable in time, and nothing is left behind. */
class UnreachableTest {

    private static final Duration EXPIRY = Duration.ofSeconds(60);
    private static final Duration TIMEOUT = Duration.ofMillis(300);
    /** What a busy machine may add. */
    private static final Duration TOLERANCE = Duration.ofSeconds(2);

    private static final Map<String, BiFunction<ReactiveRedisLocks, String, Mono<?>>> OPERATIONS = new TreeMap<>(Map.of(
            "take", (locks, key) -> locks.take(key, "ours", EXPIRY),
            "release", (locks, key) -> locks.release(key, "ours"),
            "extend", (locks, key) -> locks.extend(key, "ours", EXPIRY),
            "query", (locks, key) -> locks.query(key),
            "acquire", (locks, key) -> locks.acquire(key),
            "withLock", (locks, key) -> locks.withLock(key, lock -> Mono.just("worked")),
            "withLockMany", (locks, key) -> locks.withLockMany(key, lock -> Mono.just("worked")).collectList()));

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final String key = FIXTURE.freshKey();

    @Test
    void everythingOnAServerThatIsDownEndsInTimeWithAKnownOutcomeAndIsNeverSent() {
        Disconnected disconnected = new Disconnected();
        ReactiveRedisLocks locks = locks(disconnected, ClientOptions.create(), TIMEOUT);

        FIXTURE.server().kill();
        disconnected.await();

        OPERATIONS.forEach((name, operation) -> {
            Failure failure = failureOf(operation.apply(locks, key));
            assertThat(failure.unavailable.outcomeUnknown()).as(name).isFalse();
            assertThat(failure.unavailable).as(name).hasMessageContaining(key).hasMessageContaining("not sent");
            assertThat(failure.unavailable.key()).isEqualTo(key);
            assertThat(failure.after).as(name).isLessThan(TIMEOUT.plus(TOLERANCE));
        });
        FIXTURE.restartServer();
        Await.until("the connection is back", () -> answers(locks));
        LocksFixture.settle(locks, FIXTURE.freshKey());
        assertThat(FIXTURE.exists(key)).isFalse();
        assertThat(FIXTURE.scriptCalls()).as("sent to the new server").isZero();
    }

    @Test
    void everythingOnAServerThatDoesNotAnswerEndsInTimeWithAnUnknownOutcome() {
        ReactiveRedisLocks locks = locks(new Disconnected(), ClientOptions.create(), TIMEOUT);
        FIXTURE.server().pause();

        OPERATIONS.forEach((name, operation) -> {
            Failure failure = failureOf(operation.apply(locks, key));
            assertThat(failure.unavailable.outcomeUnknown()).as(name).isTrue();
            assertThat(failure.unavailable).as(name).hasMessageContaining(key)
                    .hasMessageContaining(TIMEOUT.toMillis() + " ms");
            assertThat(failure.after).as(name).isBetween(TIMEOUT, TIMEOUT.plus(TOLERANCE));
        });
    }

    @Test
    void whatAServerThatGoesOnHasAcquiredThenIsReleased() {
        whatRunsLateIsReleased("acquire");
    }

    @Test
    void whatAServerThatGoesOnHasTakenThenIsReleased() {
        whatRunsLateIsReleased("take");
    }

    private void whatRunsLateIsReleased(String name) {
        ReactiveRedisLocks locks = locks(new Disconnected(), ClientOptions.create(), TIMEOUT);
        FIXTURE.loadScripts();
        FIXTURE.resetStats();
        FIXTURE.server().pause();
        assertThat(failureOf(OPERATIONS.get(name).apply(locks, key)).unavailable.outcomeUnknown()).isTrue();

        FIXTURE.server().resume();

        Await.until("the connection answers", () -> answers(locks));
        assertThat(FIXTURE.calls("set")).as("ran late").isEqualTo(1);
        Await.until("the key is released", () -> !FIXTURE.exists(key));
        assertThat(FIXTURE.calls("del")).isEqualTo(1);
    }

    @Test
    void clientThatRejectsCommandsWhileDisconnectedFailsAtOnceAndWorksAgainLater() {
        Disconnected disconnected = new Disconnected();
        ClientOptions rejecting = ClientOptions.builder()
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS).build();
        ReactiveRedisLocks locks = locks(disconnected, rejecting, EXPIRY);
        assertThat(locks.withLock(key, lock -> Mono.just("worked")).block()).isEqualTo("worked");

        FIXTURE.server().kill();
        disconnected.await();

        OPERATIONS.forEach((name, operation) -> {
            Failure failure = failureOf(operation.apply(locks, key));
            assertThat(failure.unavailable.outcomeUnknown()).as(name).isFalse();
            assertThat(failure.unavailable).as(name).hasMessageContaining(key).hasCauseInstanceOf(Exception.class);
            assertThat(failure.after).as(name).isLessThan(TOLERANCE);
        });
        FIXTURE.restartServer();
        Await.until("the connection is back", () -> answers(locks));
        assertThat(locks.withLock(key, lock -> Mono.just("worked")).block()).isEqualTo("worked");
    }

    @Test
    void clientWithAShorterTimeoutOfItsOwnEndsByThatAndTheKeyIsReleasedAllTheSame() {
        ClientOptions impatient = ClientOptions.builder()
                .timeoutOptions(TimeoutOptions.enabled(Duration.ofMillis(50))).build();
        ReactiveRedisLocks locks = locks(new Disconnected(), impatient, EXPIRY);
        FIXTURE.loadScripts();
        FIXTURE.resetStats();
        FIXTURE.server().pause();

        OPERATIONS.forEach((name, operation) -> {
            Failure failure = failureOf(operation.apply(locks, key + name));
            assertThat(failure.unavailable.outcomeUnknown()).as(name).isTrue();
            assertThat(failure.after).as(name).isLessThan(TOLERANCE);
        });
        FIXTURE.server().resume();

        Await.until("the connection answers", () -> answers(locks));
        assertThat(FIXTURE.calls("set")).as("take, acquire, withLock and withLockMany ran late").isEqualTo(4);
        for (String name : new String[] {"acquire", "withLock", "withLockMany"}) {
            Await.until("the key is released: " + name, () -> !FIXTURE.exists(key + name));
        }
    }

    @Test
    void takeThatTheClientsOwnTimeoutEndedIsReleasedWhenItsReplyComes() {
        ClientOptions impatient = ClientOptions.builder()
                .timeoutOptions(TimeoutOptions.enabled(Duration.ofMillis(50))).build();
        ReactiveRedisLocks locks = locks(new Disconnected(), impatient, EXPIRY);
        FIXTURE.loadScripts();
        FIXTURE.resetStats();
        FIXTURE.server().pause();
        failureOf(locks.take(key, "ours", EXPIRY));

        FIXTURE.server().resume();

        Await.until("the connection answers", () -> answers(locks));
        assertThat(FIXTURE.calls("set")).as("ran late").isEqualTo(1);
        Await.until("the key is released", () -> !FIXTURE.exists(key));
    }

    @Test
    void clientWithALongerTimeoutOfItsOwnEndsByTheCommandTimeout() {
        ClientOptions patient = ClientOptions.builder()
                .timeoutOptions(TimeoutOptions.enabled(EXPIRY)).build();
        ReactiveRedisLocks locks = locks(new Disconnected(), patient, TIMEOUT);
        FIXTURE.server().pause();

        Failure failure = failureOf(locks.acquire(key));

        assertThat(failure.unavailable.outcomeUnknown()).isTrue();
        assertThat(failure.after).isBetween(TIMEOUT, TIMEOUT.plus(TOLERANCE));
    }

    private static ReactiveRedisLocks locks(Disconnected listener, ClientOptions options, Duration commandTimeout) {
        RedisClient client = FIXTURE.client(FIXTURE.server().uri(), options);
        client.addListener(listener);
        return FIXTURE.locks(client, builder -> builder
                .defaults(LockOptions.defaults().expiry(EXPIRY).commandTimeout(commandTimeout)));
    }

    private static boolean answers(ReactiveRedisLocks locks) {
        return locks.query(FIXTURE.freshKey()).thenReturn(true).onErrorReturn(false).block();
    }

    private record Failure(LockUnavailableException unavailable, Duration after) {
    }

    private static Failure failureOf(Mono<?> operation) {
        long start = System.nanoTime();
        LockUnavailableException unavailable =
                catchThrowableOfType(LockUnavailableException.class, () -> operation.block(Await.PATIENCE));
        assertThat(unavailable).isNotNull();
        return new Failure(unavailable, Duration.ofNanos(System.nanoTime() - start));
    }

    /** Knows when the locks' connection has noticed that the server is gone. */
    private static final class Disconnected implements RedisConnectionStateListener {

        private final AtomicInteger times = new AtomicInteger();

        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
            times.incrementAndGet();
        }

        void await() {
            Await.until("the connection has noticed that the server is gone", () -> times.get() > 0);
        }
    }
}
