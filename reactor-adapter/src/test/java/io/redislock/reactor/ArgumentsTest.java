package io.redislock.reactor;

import java.lang.reflect.Proxy;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.redislock.LockOptions;
import io.redislock.lease.LeaseClock;
import io.redislock.lease.Validity;
import io.redislock.protocol.AcquireReply;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.OwnerTokens;
import io.redislock.reactor.store.LockStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Bad arguments are refused by the call itself, with an exception that names the argument and the value. */
class ArgumentsTest {

    private static final Duration FINE = Duration.ofSeconds(10);
    private static final LockOptions OPTIONS = LockOptions.defaults();
    private static final AtomicInteger SENT = new AtomicInteger();
    private static final String TOO_LONG = "k".repeat(65_537);
    private static final String TOO_LONG_IN_UTF8 = "鍵".repeat(21_846);
    private static final String UNPAIRED = "key\ud800";
    private static final String UNPAIRED_LOW = "\udc00key";

    /** Whatever is sent to it ends as an error, and is counted. */
    private static final LockStore UNUSED = (LockStore) Proxy.newProxyInstance(LockStore.class.getClassLoader(),
            new Class<?>[] {LockStore.class}, (proxy, method, arguments) -> method.getName().equals("watch") ? null : Mono.error(() -> {
                SENT.incrementAndGet();
                return new AssertionError("Sent: " + method.getName());
            }));
    private static final RedisClient CLIENT = RedisClient.create();
    private static final ReactiveRedisLocks LOCKS = locks("");
    private static final RedisLock LOCK = lock();

    private interface Call {

        Object of(String text);
    }

    @AfterAll
    static void shutDown() {
        CLIENT.shutdown();
    }

    static Stream<Arguments> keys() {
        List<Arguments> calls = new ArrayList<>();
        keyCalls().forEach((name, call) -> {
            calls.add(refused(name + ", null", NullPointerException.class, "key", "", () -> call.of(null)));
            calls.add(refused(name + ", empty", IllegalArgumentException.class, "key", "\"\"", () -> call.of("")));
            calls.add(refused(name + ", too long", IllegalArgumentException.class, "key", "65537",
                    () -> call.of(TOO_LONG)));
            calls.add(refused(name + ", too long in UTF-8", IllegalArgumentException.class, "key", "65538",
                    () -> call.of(TOO_LONG_IN_UTF8)));
            calls.add(refused(name + ", unpaired high surrogate", IllegalArgumentException.class, "key", "key\\ud800",
                    () -> call.of(UNPAIRED)));
            calls.add(refused(name + ", unpaired low surrogate", IllegalArgumentException.class, "key", "\\udc00key",
                    () -> call.of(UNPAIRED_LOW)));
        });
        return calls.stream();
    }

    private static Map<String, Call> keyCalls() {
        return new TreeMap<>(Map.of(
                "take", key -> LOCKS.take(key, "value", FINE),
                "release", key -> LOCKS.release(key, "value"),
                "extend", key -> LOCKS.extend(key, "value", FINE),
                "query", key -> LOCKS.query(key),
                "acquire", key -> LOCKS.acquire(key),
                "acquire with options", key -> LOCKS.acquire(key, OPTIONS),
                "acquire with three", key -> LOCKS.acquire(key, FINE, 0, FINE),
                "acquireOrFail", key -> LOCKS.acquireOrFail(key, OPTIONS),
                "withLock", key -> LOCKS.withLock(key, OPTIONS, lock -> Mono.empty()),
                "withLockMany", key -> LOCKS.withLockMany(key, OPTIONS, lock -> Mono.empty())));
    }

    static Stream<Arguments> values() {
        List<Arguments> calls = new ArrayList<>();
        Map.<String, Call>of(
                "take", value -> LOCKS.take("key", value, FINE),
                "release", value -> LOCKS.release("key", value),
                "extend", value -> LOCKS.extend("key", value, FINE)).forEach((name, call) -> {
            calls.add(refused(name + ", null", NullPointerException.class, "value", "", () -> call.of(null)));
            calls.add(refused(name + ", empty", IllegalArgumentException.class, "value", "\"\"", () -> call.of("")));
            calls.add(refused(name + ", unpaired surrogate", IllegalArgumentException.class, "value", "key\\ud800",
                    () -> call.of(UNPAIRED)));
        });
        return calls.stream();
    }

    static Stream<Arguments> expiries() {
        List<Arguments> calls = new ArrayList<>();
        Map.<String, Function<Duration, Object>>of(
                "take", expiry -> LOCKS.take("key", "value", expiry),
                "extend", expiry -> LOCKS.extend("key", "value", expiry),
                "acquire", expiry -> LOCKS.acquire("key", expiry, 0, FINE),
                "extend of the handle", LOCK::extend).forEach((name, call) -> {
            calls.add(refused(name + ", null", NullPointerException.class, "expiry", "", () -> call.apply(null)));
            Stream.of(Duration.ZERO, Duration.ofMillis(-5), Duration.ofNanos(999_999),
                            Duration.ofSeconds(Long.MAX_VALUE), Duration.ofNanos(Long.MAX_VALUE).plusNanos(1))
                    .forEach(bad -> calls.add(refused(name + ", " + bad, IllegalArgumentException.class, "expiry",
                            bad.toString(), () -> call.apply(bad))));
        });
        calls.add(refused("acquire, less than the drift", IllegalArgumentException.class, "expiry", "PT0.002S",
                () -> LOCKS.acquire("key", Duration.ofMillis(2), 0, FINE)));
        return calls.stream();
    }

    static Stream<Arguments> theRest() {
        RedisURI uri = RedisURI.create("redis://127.0.0.1:1");
        return Stream.of(
                refused("acquire, retries", IllegalArgumentException.class, "maxRetries", "-1",
                        () -> LOCKS.acquire("key", FINE, -1, FINE)),
                refused("acquire, no delay", NullPointerException.class, "retryDelay", "",
                        () -> LOCKS.acquire("key", FINE, 0, null)),
                refused("acquire, zero delay", IllegalArgumentException.class, "retryDelay", "PT0S",
                        () -> LOCKS.acquire("key", FINE, 0, Duration.ZERO)),
                refused("acquire, negative delay", IllegalArgumentException.class, "retryDelay", "PT-1S",
                        () -> LOCKS.acquire("key", FINE, 0, Duration.ofSeconds(-1))),
                refused("acquire, overflowing delay", IllegalArgumentException.class, "retryDelay",
                        Duration.ofSeconds(Long.MAX_VALUE).toString(),
                        () -> LOCKS.acquire("key", FINE, 0, Duration.ofSeconds(Long.MAX_VALUE))),
                refused("acquire, options", NullPointerException.class, "options", "",
                        () -> LOCKS.acquire("key", (LockOptions) null)),
                refused("withLock, options", NullPointerException.class, "options", "",
                        () -> LOCKS.withLock("key", null, lock -> Mono.empty())),
                refused("withLock, work", NullPointerException.class, "work", "", () -> LOCKS.withLock("key", null)),
                refused("withLock with options, work", NullPointerException.class, "work", "",
                        () -> LOCKS.withLock("key", OPTIONS, null)),
                refused("withLockMany, options", NullPointerException.class, "options", "",
                        () -> LOCKS.withLockMany("key", null, lock -> Mono.empty())),
                refused("withLockMany, work", NullPointerException.class, "work", "",
                        () -> LOCKS.withLockMany("key", null)),
                refused("withLockMany with options, work", NullPointerException.class, "work", "",
                        () -> LOCKS.withLockMany("key", OPTIONS, null)),
                refused("create", NullPointerException.class, "client", "", () -> ReactiveRedisLocks.create(null)),
                refused("builder", NullPointerException.class, "client", "", () -> ReactiveRedisLocks.builder(null)),
                refused("connect, client", NullPointerException.class, "client", "",
                        () -> ReactiveRedisLocks.connect(null, uri)),
                refused("connect, uri", NullPointerException.class, "uri", "",
                        () -> ReactiveRedisLocks.connect(CLIENT, null)),
                refused("builder, uri", NullPointerException.class, "uri", "", () -> builder().uri(null)),
                refused("builder, keyPrefix", NullPointerException.class, "keyPrefix", "",
                        () -> builder().keyPrefix(null)),
                refused("builder, keyPrefix, unpaired surrogate", IllegalArgumentException.class, "keyPrefix",
                        "key\\ud800", () -> builder().keyPrefix(UNPAIRED)),
                refused("builder, defaults", NullPointerException.class, "options", "",
                        () -> builder().defaults(null)),
                refused("builder, listener", NullPointerException.class, "listener", "",
                        () -> builder().listener(null)),
                refused("builder, closeTimeout", NullPointerException.class, "closeTimeout", "",
                        () -> builder().closeTimeout(null)),
                refused("builder, closeTimeout, negative", IllegalArgumentException.class, "closeTimeout", "PT-1S",
                        () -> builder().closeTimeout(Duration.ofSeconds(-1))),
                refused("builder, closeTimeout, overflowing", IllegalArgumentException.class, "closeTimeout",
                        Duration.ofSeconds(Long.MAX_VALUE).toString(),
                        () -> builder().closeTimeout(Duration.ofSeconds(Long.MAX_VALUE))),
                refused("builder, fencingRetention", NullPointerException.class, "fencingRetention", "",
                        () -> builder().fencingRetention(null)),
                refused("builder, fencingRetention, zero", IllegalArgumentException.class, "fencingRetention", "PT0S",
                        () -> builder().fencingRetention(Duration.ZERO)),
                refused("builder, fencingRetention, brief", IllegalArgumentException.class, "fencingRetention",
                        "PT0.000999S", () -> builder().fencingRetention(Duration.ofNanos(999_000))),
                refused("builder, fencingRetention, overflowing", IllegalArgumentException.class, "fencingRetention",
                        Duration.ofSeconds(Long.MAX_VALUE).toString(),
                        () -> builder().fencingRetention(Duration.ofSeconds(Long.MAX_VALUE))),
                refused("key like those of fencing tokens", IllegalArgumentException.class, "key", "minted{job}",
                        () -> locks("redislock:").acquire("minted{job}")),
                refused("builder, scheduler", NullPointerException.class, "scheduler", "",
                        () -> builder().scheduler(null)),
                refused("key too long with its prefix", IllegalArgumentException.class, "key", "65537",
                        () -> locks("prefix:").acquire("k".repeat(65_530))));
    }

    @ParameterizedTest
    @MethodSource({"keys", "values", "expiries", "theRest"})
    void badArgumentIsRefusedByTheCallAndNamedWithItsValue(Class<? extends Exception> type, String argument,
            String value, Runnable call) {
        Throwable refusal = catchThrowable(call::run);

        assertThat(refusal).isExactlyInstanceOf(type);
        assertThat(refusal).hasMessageMatching("(?s)^" + argument + "\\b.*").hasMessageContaining(value);
        assertThat(refusal.getMessage()).as("fit for a log").hasSizeLessThan(300);
        assertThat(SENT).hasValue(0);
    }

    @Test
    void goodArgumentsAreAcceptedAndNothingIsSentBeforeTheSubscription() {
        keyCalls().values().forEach(call -> assertThat(call.of("k".repeat(65_536))).isInstanceOf(Publisher.class));
        Mono<RedisLock> acquiring = LOCKS.acquire("key", Duration.ofMillis(3), 0, Duration.ofNanos(1));
        assertThat(SENT).hasValue(0);

        assertThatThrownBy(acquiring::block).hasRootCauseMessage("Sent: acquire");
        assertThat(SENT.getAndSet(0)).isEqualTo(1);
    }

    private static Arguments refused(String name, Class<? extends Exception> type, String argument, String value,
            Runnable call) {
        return Arguments.argumentSet(name, type, argument, value, call);
    }

    private static ReactiveRedisLocks.Builder builder() {
        return ReactiveRedisLocks.builder(CLIENT);
    }

    private static LockEnvironment environment() {
        return new LockEnvironment(UNUSED, new OwnerTokens(new SecureRandom()), LeaseClock.system(), null,
                new SafeListener(List.of()));
    }

    private static ReactiveRedisLocks locks(String prefix) {
        return new StoreRedisLocks(environment(), prefix, OPTIONS, FINE);
    }

    private static RedisLock lock() {
        LockEnvironment environment = environment();
        GuardedRelease release = new GuardedRelease("lock", LockKey.of("", "key"), "value", FINE, FINE, false);
        Releases releases = new Releases(environment);
        return new LeasedLock(new HeldLease(environment, releases, release, OPTIONS,
                Validity.ofCommandSentNow(environment.clock(), FINE), AcquireReply.NO_FENCING_TOKEN));
    }
}
