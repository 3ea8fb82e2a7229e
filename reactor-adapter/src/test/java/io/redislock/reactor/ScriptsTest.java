package io.redislock.reactor;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.redislock.protocol.AcquireReply;
import io.redislock.protocol.DestinationKey;
import io.redislock.protocol.FencedReply;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.LockScript;
import io.redislock.protocol.OwnedReply;
import io.redislock.protocol.OwnerToken;
import io.redislock.protocol.OwnerTokens;
import io.redislock.protocol.TakeReply;
import io.redislock.reactor.store.Answer;
import io.redislock.reactor.store.LettuceFencedStore;
import io.redislock.reactor.store.LettuceLockStore;
import io.redislock.reactor.store.LockStore;
import io.redislock.reactor.store.StoreFailure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Servers forget scripts: at SCRIPT FLUSH and when they restart. Each operation then sends its source, once. */
class ScriptsTest {

    private static final Duration LIFE = Duration.ofSeconds(60);
    private static final Duration TIMEOUT = Await.PATIENCE;
    /** Far in the future, so that the server's time does not count. */
    private static final long LAST_TOKEN = 9_000_000_000_000_000L;

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final RedisCommands<String, String> redis = FIXTURE.redis();
    private final ReactiveRedisLocks locks = FIXTURE.locks();
    private final OwnerToken token = new OwnerTokens(new SecureRandom()).next();
    private final LockKey key = LockKey.of("", FIXTURE.freshKey());
    private final DestinationKey destination = DestinationKey.of(key.name());
    private LockStore store;
    private LettuceFencedStore fencedStore;

    private enum Key { ABSENT, OURS, ANOTHERS }

    @BeforeEach
    void connect() {
        store = new LettuceLockStore(FIXTURE.client().connect(StringCodec.UTF8));
        fencedStore = new LettuceFencedStore(FIXTURE.client().connect(StringCodec.UTF8));
    }

    @AfterEach
    void disconnect() {
        store.close().block(TIMEOUT);
        fencedStore.close().block(TIMEOUT);
    }

    static Stream<Arguments> everyScriptInEveryState() {
        return Stream.of(
                Arguments.of(LockScript.ACQUIRE, Key.ABSENT, AcquireReply.ACQUIRED),
                Arguments.of(LockScript.ACQUIRE, Key.OURS, AcquireReply.ACQUIRED),
                Arguments.of(LockScript.ACQUIRE, Key.ANOTHERS, AcquireReply.busy(null)),
                Arguments.of(LockScript.TAKE, Key.ABSENT, TakeReply.TAKEN),
                Arguments.of(LockScript.TAKE, Key.OURS, TakeReply.BUSY_WITH_EQUAL_VALUE),
                Arguments.of(LockScript.TAKE, Key.ANOTHERS, TakeReply.BUSY),
                Arguments.of(LockScript.RELEASE, Key.ABSENT, OwnedReply.ABSENT),
                Arguments.of(LockScript.RELEASE, Key.OURS, OwnedReply.DONE),
                Arguments.of(LockScript.RELEASE, Key.ANOTHERS, OwnedReply.OTHER),
                Arguments.of(LockScript.EXTEND, Key.ABSENT, OwnedReply.ABSENT),
                Arguments.of(LockScript.EXTEND, Key.OURS, OwnedReply.DONE),
                Arguments.of(LockScript.EXTEND, Key.ANOTHERS, OwnedReply.OTHER),
                Arguments.of(LockScript.PROLONG, Key.ABSENT, OwnedReply.ABSENT),
                Arguments.of(LockScript.PROLONG, Key.OURS, OwnedReply.DONE),
                Arguments.of(LockScript.PROLONG, Key.ANOTHERS, OwnedReply.OTHER),
                Arguments.of(LockScript.ACQUIRE_FENCED, Key.ABSENT, AcquireReply.fenced(LAST_TOKEN + 1)),
                Arguments.of(LockScript.ACQUIRE_FENCED, Key.OURS, AcquireReply.fenced(LAST_TOKEN)),
                Arguments.of(LockScript.ACQUIRE_FENCED, Key.ANOTHERS, AcquireReply.busy(null)),
                Arguments.of(LockScript.PROLONG_FENCED, Key.ABSENT, OwnedReply.ABSENT),
                Arguments.of(LockScript.PROLONG_FENCED, Key.OURS, OwnedReply.DONE),
                Arguments.of(LockScript.PROLONG_FENCED, Key.ANOTHERS, OwnedReply.OTHER),
                Arguments.of(LockScript.SET_FENCED, Key.ABSENT, FencedReply.ACCEPTED),
                Arguments.of(LockScript.SET_FENCED, Key.OURS, FencedReply.ACCEPTED),
                Arguments.of(LockScript.SET_FENCED, Key.ANOTHERS, FencedReply.ACCEPTED),
                Arguments.of(LockScript.DELETE_FENCED, Key.ABSENT, FencedReply.ACCEPTED),
                Arguments.of(LockScript.DELETE_FENCED, Key.OURS, FencedReply.ACCEPTED),
                Arguments.of(LockScript.DELETE_FENCED, Key.ANOTHERS, FencedReply.ACCEPTED));
    }

    @Test
    void tableOfTheseTestsNamesEveryScriptInEveryState() {
        assertThat(everyScriptInEveryState().map(arguments -> Arrays.asList(arguments.get()).subList(0, 2)))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(LockScript.values())
                        .flatMap(script -> Arrays.stream(Key.values()).map(state -> List.<Object>of(script, state)))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("everyScriptInEveryState")
    void flushedScriptIsSentAsItsSourceOnceAndThenByItsHashAgain(LockScript script, Key state, Object reply) {
        bring(script, state);
        redis.scriptFlush();
        FIXTURE.resetStats();

        assertThat(run(script)).isEqualTo(reply);
        assertThat(FIXTURE.calls("eval")).isEqualTo(1);
        assertThat(redis.scriptExists(script.sha1())).containsExactly(true);
        bring(script, state);
        FIXTURE.resetStats();

        assertThat(run(script)).isEqualTo(reply);
        assertThat(FIXTURE.calls("eval")).isZero();
        assertThat(FIXTURE.calls("evalsha")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void flushedScriptStillTellsTheErrorOfTheCommandInside(LockScript script) {
        redis.rpush(key.onTheWire(), "a list");
        redis.rpush(destination.companion(), "a list");
        redis.scriptFlush();

        assertThatThrownBy(() -> run(script))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("WRONGTYPE");
    }

    @Test
    void flushBetweenTheStepsOfALockIsNotNoticed() {
        RedisLock lock = locks.acquire(key.name()).block();
        redis.scriptFlush();
        assertThat(lock.extend(LIFE).block()).isTrue();
        redis.scriptFlush();
        assertThat(lock.release().block()).isTrue();
        assertThat(FIXTURE.exists(key.name())).isFalse();
    }

    @Test
    void flushDuringScopedWorkIsNotNoticed() {
        String worked = locks.withLock(key.name(), lock -> FIXTURE.reactiveRedis().scriptFlush()).block();

        assertThat(worked).isEqualTo("OK");
        assertThat(FIXTURE.exists(key.name())).isFalse();
    }

    @Test
    void manyInFlightAfterAFlushAllGetTheirLockAndReleaseIt() {
        List<String> keys = IntStream.range(0, 500).mapToObj(i -> key.name() + ":" + i).toList();
        redis.scriptFlush();

        List<RedisLock> held = Flux.fromIterable(keys)
                .flatMap(each -> locks.acquire(each), keys.size())
                .collectList().block(TIMEOUT);
        redis.scriptFlush();
        Long released = Flux.fromIterable(held)
                .flatMap(RedisLock::release, keys.size())
                .filter(done -> done)
                .count().block(TIMEOUT);

        assertThat(released).isEqualTo(keys.size());
        assertThat(redis.exists(keys.toArray(String[]::new))).isZero();
    }

    @Test
    void restartedServerIsServedLikeANewOne() {
        RedisLock lost = locks.acquire(key.name()).block();

        FIXTURE.restartServer();

        assertThat(lost.release().block()).isFalse();
        RedisLock lock = locks.acquire(key.name()).block();
        assertThat(redis.get(key.name())).isEqualTo(lock.value());
        assertThat(lock.release().block()).isTrue();
    }

    private void bring(LockScript script, Key state) {
        redis.del(key.onTheWire(), key.companion());
        if (script == LockScript.ACQUIRE_FENCED || script == LockScript.PROLONG_FENCED) {
            redis.set(key.companion(), Long.toString(LAST_TOKEN));
        }
        if (state != Key.ABSENT) {
            redis.set(key.onTheWire(), state == Key.OURS ? token.value() : "another's");
        }
    }

    private Object run(LockScript script) {
        return switch (script) {
            case SET_FENCED -> fencedStore.set(destination, "text", LAST_TOKEN, TIMEOUT).block(TIMEOUT);
            case DELETE_FENCED -> fencedStore.delete(destination, LAST_TOKEN, TIMEOUT).block(TIMEOUT);
            default -> runOfLocks(script);
        };
    }

    private Object runOfLocks(LockScript script) {
        return block(switch (script) {
            case ACQUIRE -> store.acquire(key, token, LIFE, TIMEOUT);
            case TAKE -> store.take(key, token.value(), LIFE, TIMEOUT);
            case RELEASE -> store.release(key, token.value(), TIMEOUT);
            case EXTEND -> store.extend(key, token.value(), LIFE, TIMEOUT);
            case PROLONG -> store.prolong(key, token.value(), LIFE, TIMEOUT);
            case ACQUIRE_FENCED -> store.acquireFenced(key, token, LIFE, LIFE, TIMEOUT);
            case PROLONG_FENCED -> store.prolongFenced(key, token.value(), LAST_TOKEN, LIFE, LIFE, TIMEOUT);
            case SET_FENCED, DELETE_FENCED -> throw new IllegalArgumentException("No script of locks: " + script);
        });
    }

    private static <T> T block(Mono<? extends Answer<? extends T>> answer) {
        return answer.block(TIMEOUT).reply();
    }
}
