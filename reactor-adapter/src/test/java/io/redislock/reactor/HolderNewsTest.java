package io.redislock.reactor;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.ProtocolVersion;
import io.redislock.LockLoss;
import io.redislock.LockLostException;
import io.redislock.LockOptions;
import io.redislock.LockState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import static io.redislock.LockLoss.DELETED;
import static io.redislock.LockLoss.TAKEN_OVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Who holds a lock learns at once what a stranger did to its key, long before a renewal or the deadline would tell. */
class HolderNewsTest {

    /** Not renewed, and not over in the time a test takes. */
    private static final LockOptions HELD = LockOptions.defaults().expiry(Duration.ofMinutes(1));

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final ReactiveRedisLocks locks = FIXTURE.locks();
    private final String key = FIXTURE.freshKey();

    static Stream<Arguments> losses() {
        return Stream.of(
                loss("DEL", DELETED, (redis, key) -> redis.del(key)),
                loss("UNLINK", DELETED, (redis, key) -> redis.unlink(key)),
                loss("RENAME", DELETED, (redis, key) -> redis.rename(key, key + ":elsewhere")),
                loss("PEXPIREAT in the past", DELETED, (redis, key) -> redis.pexpireat(key, 1)),
                loss("FLUSHALL", DELETED, (redis, key) -> redis.flushall()),
                loss("SET", TAKEN_OVER, (redis, key) -> redis.set(key, "stranger")),
                loss("SET PX", TAKEN_OVER, (redis, key) -> redis.set(key, "stranger", SetArgs.Builder.px(60_000))),
                loss("APPEND", TAKEN_OVER, (redis, key) -> redis.append(key, "stranger")));
    }

    private static Arguments loss(String name, LockLoss reason, BiConsumer<RedisCommands<String, String>, String> by) {
        return Arguments.argumentSet(name, reason, by);
    }

    @ParameterizedTest
    @MethodSource("losses")
    void handleTellsTheLoss(LockLoss reason, BiConsumer<RedisCommands<String, String>, String> by) {
        RedisLock lock = acquire(locks, HELD);

        by.accept(FIXTURE.redis(), key);

        assertThat(lock.lost().block(Await.PATIENCE)).isEqualTo(reason);
        assertThat(lock.state()).isEqualTo(LockState.LOST);
        assertThat(lock.isAcquired()).isFalse();
        FIXTURE.redis().del(key);
    }

    @ParameterizedTest
    @MethodSource("losses")
    void scopedWorkIsCancelledAndTheLossIsItsError(LockLoss reason,
            BiConsumer<RedisCommands<String, String>, String> by) {
        AtomicBoolean cancelled = new AtomicBoolean();
        CompletableFuture<Object> worked = locks.withLock(key, HELD,
                lock -> Mono.never().doOnCancel(() -> cancelled.set(true))).toFuture();
        Await.until("it is held", () -> FIXTURE.exists(key));
        LocksFixture.settle(locks, "unused");

        by.accept(FIXTURE.redis(), key);

        assertThatThrownBy(() -> Mono.fromFuture(worked).block(Await.PATIENCE))
                .isInstanceOfSatisfying(LockLostException.class, lost -> {
                    assertThat(lost.reason()).isEqualTo(reason);
                    assertThat(lost.key()).isEqualTo(key);
                });
        assertThat(cancelled).isTrue();
        FIXTURE.redis().del(key);
    }

    @Test
    void lossIsToldWithinMilliseconds() {
        Latencies deleted = new Latencies();
        Latencies takenOver = new Latencies();
        for (int round = 0; round < 50; round++) {
            RedisLock lock = acquire(locks, HELD);
            long start = System.nanoTime();
            FIXTURE.redis().del(key);
            assertThat(lock.lost().block(Await.PATIENCE)).isEqualTo(DELETED);
            deleted.since(start);

            lock = acquire(locks, HELD);
            start = System.nanoTime();
            FIXTURE.redis().set(key, "stranger");
            assertThat(lock.lost().block(Await.PATIENCE)).isEqualTo(TAKEN_OVER);
            takenOver.since(start);
            FIXTURE.redis().del(key);
        }

        deleted.print("From a foreign DEL to the holder's loss");
        takenOver.print("From a foreign SET to the holder's loss");
        assertThat(deleted.median()).isLessThan(Duration.ofMillis(100));
        assertThat(takenOver.median()).isLessThan(Duration.ofMillis(100));
    }

    static Stream<Arguments> harmless() {
        return Stream.of(
                Arguments.argumentSet("PEXPIRE", change((redis, key) -> redis.pexpire(key, 90_000))),
                Arguments.argumentSet("PERSIST", change((redis, key) -> redis.persist(key))),
                Arguments.argumentSet("TOUCH", change((redis, key) -> redis.touch(key))),
                Arguments.argumentSet("GET", change((redis, key) -> redis.get(key))),
                Arguments.argumentSet("SET to the same value", change((redis, key) ->
                        redis.set(key, redis.get(key), SetArgs.Builder.keepttl()))));
    }

    private static BiConsumer<RedisCommands<String, String>, String> change(
            BiConsumer<RedisCommands<String, String>, String> change) {
        return change;
    }

    /** And it is watched on, so the loss after that is told too. */
    @ParameterizedTest
    @MethodSource("harmless")
    void changeThatLeavesOurValueLosesNothing(BiConsumer<RedisCommands<String, String>, String> change) {
        RedisLock lock = acquire(locks, HELD);

        for (int time = 0; time < 3; time++) {
            change.accept(FIXTURE.redis(), key);
            LocksFixture.settle(locks, "unused");
            assertThat(lock.state()).isEqualTo(LockState.HELD);
        }

        FIXTURE.redis().del(key);
        assertThat(lock.lost().block(Await.PATIENCE)).isEqualTo(DELETED);
    }

    @Test
    void keyIsWatchedAfterAnExtensionToo() {
        RedisLock lock = acquire(locks, HELD);
        assertThat(lock.extend(Duration.ofMinutes(2)).block(Await.PATIENCE)).isTrue();

        FIXTURE.redis().del(key);

        assertThat(lock.lost().block(Await.PATIENCE)).isEqualTo(DELETED);
    }

    /** Its script finds nothing to do, and reads all the same. */
    @Test
    void keyIsWatchedAfterAnExtensionThatWouldShortenToo() {
        RedisLock lock = acquire(locks, HELD);
        assertThat(lock.extend(Duration.ofSeconds(40)).block(Await.PATIENCE)).isTrue();

        FIXTURE.redis().del(key);

        assertThat(lock.lost().block(Await.PATIENCE)).isEqualTo(DELETED);
    }

    @Test
    void keyIsWatchedAfterALowLevelExtensionOfTheSameValueToo() {
        RedisLock lock = acquire(locks, HELD);
        assertThat(locks.extend(key, lock.value(), Duration.ofMinutes(2)).block(Await.PATIENCE)).isTrue();

        FIXTURE.redis().del(key);

        assertThat(lock.lost().block(Await.PATIENCE)).isEqualTo(DELETED);
    }

    /** The server does not tell a connection what it did itself. */
    @Test
    void lowLevelReleaseOfItsValueOnTheSameLocksIsToldToo() {
        RedisLock lock = acquire(locks, HELD);

        assertThat(locks.release(key, lock.value()).block(Await.PATIENCE)).isTrue();

        assertThat(lock.lost().block(Await.PATIENCE)).isEqualTo(DELETED);
    }

    @Test
    void keyIsWatchedAfterARenewalToo() {
        EventLog events = new EventLog();
        ReactiveRedisLocks listening = FIXTURE.locks(builder -> builder.listener(events));
        RedisLock lock = acquire(listening, LockOptions.defaults().expiry(Duration.ofSeconds(3))
                .autoRenew(Duration.ofHours(1)));
        Await.until("it was renewed", () -> events.names().contains("extended"));
        long start = System.nanoTime();

        FIXTURE.redis().del(key);

        assertThat(lock.lost().block(Await.PATIENCE)).isEqualTo(DELETED);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("well before the next renewal").isLessThan(Duration.ofMillis(800));
    }

    /** RESP2: the server tells nothing, so the next renewal finds out. */
    @Test
    void holderThatIsNotToldLearnsAtItsNextRenewal() {
        ReactiveRedisLocks resp2 = FIXTURE.locks(FIXTURE.client(FIXTURE.server().uri(),
                ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build()), builder -> builder);
        RedisLock lock = acquire(resp2, LockOptions.defaults().expiry(Duration.ofSeconds(3))
                .autoRenew(Duration.ofHours(1)));

        FIXTURE.redis().del(key);

        assertThat(lock.lost().block(Await.PATIENCE)).isEqualTo(DELETED);
    }

    @Test
    void ownReleaseIsNoNewsOfALoss() {
        EventLog events = new EventLog();
        ReactiveRedisLocks listening = FIXTURE.locks(builder -> builder.listener(events));

        for (int round = 0; round < 20; round++) {
            assertThat(acquire(listening, HELD).release().block(Await.PATIENCE)).isTrue();
        }
        LocksFixture.settle(listening, "unused");

        assertThat(events.names()).doesNotContain("lost DELETED", "lost TAKEN_OVER");
    }

    private RedisLock acquire(ReactiveRedisLocks from, LockOptions options) {
        return from.acquire(key, options).block(Await.PATIENCE);
    }
}
