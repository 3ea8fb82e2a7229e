package io.redislock.reactor;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.redislock.LockLoss;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** What close() ends, and what it leaves alone. */
class ClosingTest {

    private static final Duration EXPIRY = Duration.ofSeconds(60);

    /** The next attempt would come long after the test. */
    private static final LockOptions WAITING = LockOptions.defaults().expiry(EXPIRY).retry(3, EXPIRY);

    private static final Map<String, BiFunction<ReactiveRedisLocks, String, Mono<?>>> OPERATIONS = new TreeMap<>(Map.of(
            "take", (locks, key) -> locks.take(key, "ours", EXPIRY),
            "release", (locks, key) -> locks.release(key, "ours"),
            "extend", (locks, key) -> locks.extend(key, "ours", EXPIRY),
            "query", (locks, key) -> locks.query(key),
            "acquire", (locks, key) -> locks.acquire(key),
            "withLock", (locks, key) -> locks.withLock(key, lock -> Mono.just("worked")),
            "withLockMany", (locks, key) -> locks.withLockMany(key, lock -> Mono.just("worked")).next()));

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final RedisClient client = FIXTURE.client(FIXTURE.server().uri(), ClientOptions.create());
    private final ReactiveRedisLocks locks = FIXTURE.locks(client, builder -> builder);
    private final String key = FIXTURE.freshKey();

    @Test
    void everyLaterCallIsUnavailableWithAKnownOutcome() {
        locks.close().block(Await.PATIENCE);

        OPERATIONS.forEach((name, operation) -> isClosed(name, operation.apply(locks, key)));
        assertThat(FIXTURE.exists(key)).isFalse();
    }

    @Test
    void whatWaitsForALockIsUnavailableAtOnce() {
        FIXTURE.put(key, "another", EXPIRY);
        FIXTURE.resetStats();
        CompletableFuture<RedisLock> acquiring = locks.acquire(key, WAITING).toFuture();
        CompletableFuture<String> working = locks.withLock(key, WAITING, lock -> Mono.just("worked")).toFuture();
        CompletableFuture<RedisLock> waitingLong = locks.acquire(key,
                LockOptions.defaults().retry(3, EXPIRY).waitAtMost(EXPIRY)).toFuture();
        Await.until("the first of them was told that it is busy", () -> FIXTURE.scriptCalls() >= 1);
        LocksFixture.settle(locks, FIXTURE.freshKey());

        locks.close().block(Await.PATIENCE);

        isClosed("acquire", Mono.fromFuture(acquiring));
        isClosed("withLock", Mono.fromFuture(working));
        isClosed("acquire with a bound", Mono.fromFuture(waitingLong));
        assertThat(FIXTURE.redis().get(key)).isEqualTo("another");
    }

    @Test
    void whatIsInFlightEndsAsUnavailableAndMayHaveRun() {
        FIXTURE.server().pause();
        CompletableFuture<RedisLock> acquiring = locks.acquire(key, WAITING.commandTimeout(EXPIRY)).toFuture();

        locks.close().block(Await.PATIENCE);

        LockUnavailableException unavailable = failureOf(Mono.fromFuture(acquiring));
        assertThat(unavailable).hasMessageContaining("closed");
        assertThat(unavailable.outcomeUnknown()).isTrue();
    }

    @Test
    void nothingIsClosedBeforeASubscription() {
        locks.close();

        assertThat(locks.take(key, "ours", EXPIRY).block(Await.PATIENCE)).isTrue();
    }

    @Test
    void closingTwiceAndAtTheSameTimeIsTheSameAsOnce() {
        Mono<Void> closing = locks.close();

        StepVerifier.create(Mono.when(closing, locks.close(), closing)).expectComplete().verify(Await.PATIENCE);
        StepVerifier.create(locks.close()).expectComplete().verify(Await.PATIENCE);
    }

    @Test
    void heldLockIsLostAsClosedAndReleased() {
        RedisLock lock = locks.acquire(key, WAITING).block(Await.PATIENCE);

        locks.close().block(Await.PATIENCE);

        assertThat(FIXTURE.exists(key)).isFalse();
        assertThat(lock.isAcquired()).isFalse();
        StepVerifier.create(lock.lost()).expectNext(LockLoss.CLOSED).expectComplete().verify(Await.PATIENCE);
        StepVerifier.create(lock.release()).expectNext(true).expectComplete().verify(Await.PATIENCE);
        StepVerifier.create(lock.extend(EXPIRY)).expectNext(false).expectComplete().verify(Await.PATIENCE);
    }

    @Test
    void whatCannotBeReleasedInTimeIsToldAndLeftToItsExpiry() {
        EventLog events = new EventLog();
        ReactiveRedisLocks closing = FIXTURE.locks(client, builder -> builder
                .listener(events).closeTimeout(Duration.ofMillis(500)));
        RedisLock lock = closing.acquire(key, WAITING.commandTimeout(Duration.ofMillis(200))).block(Await.PATIENCE);
        FIXTURE.server().pause();
        long start = System.nanoTime();

        closing.close().block(Await.PATIENCE);

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
        assertThat(lock.isAcquired()).isFalse();
        Await.until("the listener is told", () -> events.names().contains("releaseFailed"));
    }

    @Test
    void releaseThatIsRepeatedInTheBackgroundIsWaitedFor() {
        ReactiveRedisLocks closing = FIXTURE.locks(client, builder -> builder.closeTimeout(Await.PATIENCE));
        closing.acquire(key, WAITING.commandTimeout(Duration.ofMillis(200))).block(Await.PATIENCE);
        FIXTURE.server().pause();

        CompletableFuture<Void> closed = closing.close().toFuture();
        Mono.delay(Duration.ofMillis(700)).block();
        assertThat(closed).isNotDone();
        FIXTURE.server().resume();

        Mono.fromFuture(closed).block(Await.PATIENCE);
        assertThat(FIXTURE.exists(key)).isFalse();
    }

    @Test
    void attemptThatTimedOutIsWaitedForToo() {
        ReactiveRedisLocks closing = FIXTURE.locks(client, builder -> builder.closeTimeout(Await.PATIENCE));
        closing.query(key).block(Await.PATIENCE);
        FIXTURE.server().pause();
        LockUnavailableException unanswered = failureOf(closing.acquire(key,
                WAITING.commandTimeout(Duration.ofMillis(200))));
        assertThat(unanswered.outcomeUnknown()).isTrue();

        CompletableFuture<Void> closed = closing.close().toFuture();
        Mono.delay(Duration.ofMillis(300)).block();
        assertThat(closed).isNotDone();
        FIXTURE.server().resume();

        Mono.fromFuture(closed).block(Await.PATIENCE);
        assertThat(FIXTURE.exists(key)).isFalse();
    }

    @Test
    void releaseOfALeaseThatWasLostBeforeIsWaitedForToo() {
        ReactiveRedisLocks closing = FIXTURE.locks(client, builder -> builder.closeTimeout(Await.PATIENCE));
        RedisLock lock = closing.acquire(key, WAITING.commandTimeout(Duration.ofMillis(200))
                .autoRenew(Duration.ofMillis(100))).block(Await.PATIENCE);
        assertThat(lock.lost().block(Await.PATIENCE)).isEqualTo(LockLoss.MAX_HOLD_REACHED);
        FIXTURE.server().pause();
        lock.release().subscribe();

        CompletableFuture<Void> closed = closing.close().toFuture();
        Mono.delay(Duration.ofMillis(700)).block();
        assertThat(closed).isNotDone();
        FIXTURE.server().resume();

        Mono.fromFuture(closed).block(Await.PATIENCE);
        assertThat(FIXTURE.exists(key)).isFalse();
    }

    @Test
    void clientStaysOpenWithItsOtherConnectionsAndOtherLocks() {
        AtomicInteger worked = new AtomicInteger();
        ReactiveRedisLocks others = FIXTURE.locks(client, builder -> builder);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            locks.close().block(Await.PATIENCE);

            assertThat(connection.sync().ping()).isEqualTo("PONG");
            others.withLock(key, lock -> Mono.fromRunnable(worked::incrementAndGet)).block(Await.PATIENCE);
            assertThat(worked).hasValue(1);
            ReactiveRedisLocks again = FIXTURE.locks(client, builder -> builder);
            assertThat(again.take(key, "ours", EXPIRY).block(Await.PATIENCE)).isTrue();
        }
    }

    private static void isClosed(String name, Mono<?> operation) {
        long start = System.nanoTime();
        LockUnavailableException unavailable = failureOf(operation);

        assertThat(unavailable).as(name).hasMessageContaining("closed");
        assertThat(unavailable.outcomeUnknown()).as(name).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).as(name).isLessThan(Duration.ofMillis(1_500));
    }

    private static LockUnavailableException failureOf(Mono<?> operation) {
        LockUnavailableException unavailable =
                catchThrowableOfType(LockUnavailableException.class, () -> operation.block(Await.PATIENCE));
        assertThat(unavailable).isNotNull();
        return unavailable;
    }
}
