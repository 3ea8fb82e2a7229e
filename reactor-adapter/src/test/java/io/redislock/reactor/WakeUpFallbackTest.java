package io.redislock.reactor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.ProtocolVersion;
import io.redislock.LockOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Where the server tells nothing, waiting is polling: it says so once, and many who wait poll like one. */
@Tag("long")
class WakeUpFallbackTest {

    private static final Duration OFTEN = Duration.ofMillis(50);
    private static final LockOptions POLLING = LockOptions.defaults().retry(10_000, OFTEN).maxRetryDelay(OFTEN);
    private static final String POLLED_FOR = "polled for";

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn(
            "user notracking on >secret ~* +@all -client|tracking",
            "user noclient on >secret ~* +@all -client",
            "user changing on >secret ~* +@all -client|tracking");

    private final String key = FIXTURE.freshKey();

    /** Connects in a way in which the server tells nothing. */
    private interface Connector {

        ReactiveRedisLocks connect();
    }

    static Stream<Arguments> untracked() {
        return Stream.of(
                Arguments.argumentSet("RESP2", (Connector) WakeUpFallbackTest::resp2),
                Arguments.argumentSet("without CLIENT TRACKING", (Connector) () -> as("notracking")),
                Arguments.argumentSet("without CLIENT", (Connector) () -> as("noclient")));
    }

    @ParameterizedTest
    @MethodSource("untracked")
    void lockIsHadByPolling(Connector connector) {
        ReactiveRedisLocks locks = connector.connect();
        FIXTURE.put(key, "foreign", LongWait.HOUR);
        var waiting = locks.acquire(key, POLLING).toFuture();
        LocksFixture.settle(locks, "unused");

        FIXTURE.redis().del(key);

        Await.until("it has the lock", waiting::isDone);
        assertThat(waiting.join().release().block(Await.PATIENCE)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("untracked")
    void oneLineSaysSoHoweverManyWait(Connector connector) {
        try (LoggedLines logged = new LoggedLines()) {
            ReactiveRedisLocks locks = connector.connect();
            for (int time = 0; time < 5; time++) {
                FIXTURE.put(key, "foreign", LongWait.HOUR);
                assertThat(locks.acquire(key, Duration.ofMinutes(1), 2, Duration.ofMillis(1))
                        .blockOptional(Await.PATIENCE)).isEmpty();
            }

            assertThat(logged.with(POLLED_FOR)).singleElement().asString().contains("INFO");
        }
    }

    @Test
    void trackedLocksDoNotSaySo() {
        try (LoggedLines logged = new LoggedLines()) {
            ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder);
            LocksFixture.settle(locks, key);

            assertThat(logged.with(POLLED_FOR)).isEmpty();
        }
    }

    /** What an attempt was told about the holder is as good as without tracking. */
    @ParameterizedTest
    @MethodSource("untracked")
    void endOfTheHoldersLeaseIsAwaited(Connector connector) {
        ReactiveRedisLocks locks = connector.connect();
        FIXTURE.put(key, "crashed", Duration.ofMillis(300));

        LongWait.begin(locks, key).endWithALock();
    }

    @ParameterizedTest
    @MethodSource("untracked")
    void releaseByTheSameLocksNeedsNoPoll(Connector connector) {
        ReactiveRedisLocks locks = connector.connect();
        RedisLock held = locks.acquire(key, LongWait.SCHEDULE).block(Await.PATIENCE);
        LongWait wait = LongWait.parked(locks, key);

        assertThat(held.release().block(Await.PATIENCE)).isTrue();

        wait.endWithALock();
    }

    /** Each polls five times a second; were they not one queue, there would be eighty scripts a second. */
    @ParameterizedTest
    @MethodSource("untracked")
    void manyWhoWaitPollLikeOne(Connector connector) {
        ReactiveRedisLocks locks = connector.connect();
        FIXTURE.put(key, "foreign", LongWait.HOUR);
        List<LongWait> waits = new ArrayList<>();
        LockOptions schedule = LongWait.SCHEDULE.retry(10_000, Duration.ofMillis(200));
        for (int caller = 0; caller < 16; caller++) {
            waits.add(LongWait.begin(locks, key, schedule));
        }
        LocksFixture.settle(locks, "unused");
        FIXTURE.resetStats();

        double perSecond = scriptsPerSecond(Duration.ofSeconds(3));

        assertThat(perSecond).isBetween(2.5, 10.0);
        FIXTURE.redis().del(key);
        waits.forEach(LongWait::endWithALock);
    }

    /** The shortest delay configured is the one that counts. */
    @Test
    void oneWhoPollsOftenPollsForAll() {
        ReactiveRedisLocks locks = resp2();
        FIXTURE.put(key, "foreign", LongWait.HOUR);
        LongWait slow = LongWait.parked(locks, key);
        LongWait fast = LongWait.begin(locks, key, POLLING);
        LocksFixture.settle(locks, "unused");

        FIXTURE.redis().del(key);

        slow.endWithALock();
        fast.endWithALock();
    }

    /** A permission given later counts from the next connection on. */
    @Test
    void trackingIsTriedAnewOnEachConnection() {
        ReactiveRedisLocks locks = as("changing");
        FIXTURE.put(key, "foreign", LongWait.HOUR);
        LongWait wait = LongWait.parked(locks, key);
        FIXTURE.redis().aclSetuser("changing", AclSetuserArgs.Builder.allCommands());
        assertThat(FIXTURE.redis().clientKill(KillArgs.Builder.user("changing"))).isEqualTo(1);
        Await.until("it is tracked", () -> clients("user=changing").anyMatch(client -> client.contains("flags=t")));

        FIXTURE.redis().del(key);

        wait.endWithALock();
    }

    private static Stream<String> clients(String property) {
        return FIXTURE.redis().clientList().lines().filter(client -> client.contains(property));
    }

    private static double scriptsPerSecond(Duration time) {
        long start = System.nanoTime();
        Await.until("it was counted for a while", () -> System.nanoTime() - start > time.toNanos());
        return FIXTURE.scriptCalls() * 1e9 / (System.nanoTime() - start);
    }

    private static ReactiveRedisLocks resp2() {
        return FIXTURE.locks(FIXTURE.client(FIXTURE.server().uri(),
                ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build()), builder -> builder);
    }

    private static ReactiveRedisLocks as(String user) {
        RedisURI uri = RedisURI.builder(RedisURI.create(FIXTURE.server().uri()))
                .withAuthentication(user, "secret".toCharArray())
                .build();
        return FIXTURE.locks(builder -> builder.uri(uri));
    }
}
