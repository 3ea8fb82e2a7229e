package io.redislock.reactor;

import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.GetExArgs;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.ProtocolVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever frees a key, and whoever does it, one who waits for it has the lock soon, long before its schedule. */
class WakeUpTest {

    private static final Duration MOMENT = Duration.ofMillis(100);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final ReactiveRedisLocks locks = FIXTURE.locks();
    private final String key = FIXTURE.freshKey();

    static Stream<Arguments> waysToFreeAKey() {
        return Stream.of(
                way("DEL", (redis, key) -> redis.del(key)),
                way("UNLINK", (redis, key) -> redis.unlink(key)),
                way("GETDEL", (redis, key) -> redis.getdel(key)),
                way("RENAME", (redis, key) -> redis.rename(key, key + ":elsewhere")),
                way("FLUSHALL", (redis, key) -> redis.flushall()),
                way("FLUSHDB", (redis, key) -> redis.flushdb()),
                way("PEXPIRE", (redis, key) -> redis.pexpire(key, MOMENT)),
                way("PEXPIREAT in the past", (redis, key) -> redis.pexpireat(key, 1)),
                way("SET PX", (redis, key) -> redis.set(key, "another", SetArgs.Builder.px(MOMENT.toMillis()))),
                way("GETEX PX", (redis, key) -> redis.getex(key, GetExArgs.Builder.px(MOMENT))),
                way("a script", (redis, key) ->
                        redis.eval("return redis.call('DEL', KEYS[1])", ScriptOutputType.INTEGER, key)),
                way("a transaction", (redis, key) -> {
                    redis.multi();
                    redis.del(key);
                    redis.exec();
                }));
    }

    private static Arguments way(String name, BiConsumer<RedisCommands<String, String>, String> freeing) {
        return Arguments.argumentSet(name, freeing);
    }

    @ParameterizedTest
    @MethodSource("waysToFreeAKey")
    void keyThatAForeignClientFreesIsHadSoon(BiConsumer<RedisCommands<String, String>, String> freeing) {
        FIXTURE.put(key, "foreign", LongWait.HOUR);
        LongWait wait = LongWait.parked(locks, key);

        freeing.accept(FIXTURE.redis(), key);

        RedisLock lock = wait.lock();
        assertThat(FIXTURE.redis().get(key)).isEqualTo(lock.value());
        assertThat(lock.release().block(Await.PATIENCE)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("waysToFreeAKey")
    void keyWithoutAnExpiryThatAForeignClientFreesIsHadSoon(
            BiConsumer<RedisCommands<String, String>, String> freeing) {
        FIXTURE.redis().set(key, "foreign");
        LongWait wait = LongWait.parked(locks, key);

        freeing.accept(FIXTURE.redis(), key);

        assertThat(wait.lock().isAcquired()).isTrue();
        wait.endWithALock();
    }

    @Test
    void keyOfACrashedHolderIsHadWhenItExpires() {
        FIXTURE.put(key, "crashed", Duration.ofMillis(300));
        LongWait wait = LongWait.begin(locks, key);

        assertThat(wait.lock().isAcquired()).isTrue();
        wait.endWithALock();
    }

    @Test
    void keyThatIsOverwrittenIsWatchedOn() {
        FIXTURE.put(key, "foreign", LongWait.HOUR);
        LongWait wait = LongWait.parked(locks, key);

        for (int owner = 0; owner < 10; owner++) {
            FIXTURE.put(key, "foreign-" + owner, LongWait.HOUR.plusMinutes(owner));
            LocksFixture.settle(locks, "unused");
        }
        assertThat(wait.isOver()).isFalse();
        FIXTURE.redis().del(key);

        wait.endWithALock();
    }

    /** More than its schedule has retries. */
    @Test
    void changesThatLeaveTheKeyBusyUseUpNoRetry() {
        EventLog events = new EventLog();
        ReactiveRedisLocks listening = FIXTURE.locks(builder -> builder.listener(events));
        FIXTURE.put(key, "foreign", LongWait.HOUR);
        LongWait wait = LongWait.parked(listening, key);

        for (int attempt = 2; attempt < 10; attempt++) {
            String tried = "busyAttempt " + attempt;
            FIXTURE.put(key, "foreign", LongWait.HOUR.plusMinutes(attempt));
            Await.until(tried, () -> events.names().contains(tried));
        }
        FIXTURE.redis().del(key);

        wait.endWithALock();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "{tag}:key", "with spaces \"quoted\"\r\n", "Schlüssel-ключ-鍵-🔒", "\u0000"})
    void namesAndPrefixesOfAllKindsAreUnderstood(String name) {
        ReactiveRedisLocks prefixed = FIXTURE.locks(builder -> builder.keyPrefix("préfixe:"));
        FIXTURE.put("préfixe:" + name, "foreign", LongWait.HOUR);
        LongWait wait = LongWait.parked(prefixed, name);

        FIXTURE.redis().del("préfixe:" + name);

        wait.endWithALock();
    }

    @Test
    void keyInAnotherDatabaseIsWatchedThere() {
        RedisURI first = RedisURI.create(FIXTURE.server().uri());
        first.setDatabase(1);
        ReactiveRedisLocks inFirst = FIXTURE.locks(builder -> builder.uri(first));
        inFirst.take(key, "by value", LongWait.HOUR).block(Await.PATIENCE);
        LongWait wait = LongWait.parked(inFirst, key);

        var foreign = FIXTURE.client(first, ClientOptions.create()).connect().sync();
        assertThat(foreign.del(key)).isEqualTo(1);

        wait.endWithALock();
    }

    @Test
    void clientThatAsksForResp3IsWatchedLikeOneThatLeavesItOpen() {
        ReactiveRedisLocks resp3 = FIXTURE.locks(FIXTURE.client(FIXTURE.server().uri(),
                ClientOptions.builder().protocolVersion(ProtocolVersion.RESP3).build()), builder -> builder);
        FIXTURE.put(key, "foreign", LongWait.HOUR);
        LongWait wait = LongWait.parked(resp3, key);

        FIXTURE.redis().del(key);

        wait.endWithALock();
    }

    @Test
    void wakingTakesMilliseconds() {
        Latencies latencies = new Latencies();
        for (int round = 0; round < 50; round++) {
            FIXTURE.put(key, "foreign", LongWait.HOUR);
            LongWait wait = LongWait.parked(locks, key);
            long start = System.nanoTime();
            FIXTURE.redis().del(key);
            RedisLock lock = wait.lock();
            latencies.since(start);
            lock.release().block(Await.PATIENCE);
        }

        latencies.print("From a foreign DEL to the lock");
        assertThat(latencies.median()).isLessThan(MOMENT);
    }

    @Test
    void oneWhoIsFirstAfterOthersGaveUpIsWoken() {
        FIXTURE.put(key, "foreign", LongWait.HOUR);
        LongWait first = LongWait.parked(locks, key);
        LongWait second = LongWait.begin(locks, key);
        LongWait third = LongWait.begin(locks, key);
        first.giveUp();
        second.giveUp();

        FIXTURE.redis().del(key);

        third.endWithALock();
    }

    @Test
    void oneWhoGaveUpLeavesNoAttemptBehind() {
        FIXTURE.put(key, "foreign", LongWait.HOUR);
        LongWait wait = LongWait.parked(locks, key);
        wait.giveUp();
        FIXTURE.resetStats();

        FIXTURE.redis().del(key);
        LocksFixture.settle(locks, "unused");

        assertThat(FIXTURE.scriptCalls()).isZero();
        assertThat(FIXTURE.exists(key)).isFalse();
    }
}
