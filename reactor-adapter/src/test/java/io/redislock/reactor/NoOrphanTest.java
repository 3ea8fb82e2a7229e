package io.redislock.reactor;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Stream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.redislock.LockOptions;
import io.redislock.testsupport.FaultProxy;
import io.redislock.testsupport.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever ends a call at whatever moment, no key is left two seconds later, although it would live for a minute. Every
 * round has a key of its own, and every fourth fights for one of a few, so that retries and delays are met too. On
 * these it is also seen that no two are held at once.
 */
class NoOrphanTest {

    private static final int ROUNDS = Rounds.of(20_000);
    private static final int HOT_KEYS = 4;
    private static final LockOptions MINUTE = LockOptions.defaults().expiry(Duration.ofSeconds(60))
            .retry(5, Duration.ofMillis(1));

    /** How the scope is written. */
    enum Scope { WITH_LOCK, USING_WHEN }

    /** What ends it. */
    enum End { CANCEL, TIMEOUT }

    /** What else goes on. */
    enum Weather { CALM, LOST_REPLIES, SCRIPT_FLUSH }

    private final Map<String, RedisLock> lastInside = new ConcurrentHashMap<>();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final AtomicInteger worked = new AtomicInteger();
    private RedisServer server;
    private FaultProxy proxy;
    private RedisClient direct;
    private RedisClient client;
    private RedisCommands<String, String> redis;
    private ReactiveRedisLocks locks;

    @BeforeEach
    void connect() {
        server = RedisServer.shared();
        proxy = FaultProxy.to(server);
        direct = RedisClient.create(server.uri());
        redis = direct.connect().sync();
        redis.flushall();
        client = RedisClient.create(proxy.uri());
        locks = ReactiveRedisLocks.create(client);
    }

    @AfterEach
    void disconnect() {
        locks.close().block(Duration.ofSeconds(10));
        client.shutdown();
        direct.shutdown();
        proxy.close();
    }

    static Stream<Arguments> storms() {
        return Stream.of(Scope.values()).flatMap(scope -> Stream.of(End.values()).flatMap(end ->
                Stream.of(Weather.values()).map(weather -> Arguments.of(scope, end, weather))));
    }

    @ParameterizedTest(name = "{0}, {1}, {2}")
    @MethodSource("storms")
    void noKeyIsLeft(Scope scope, End end, Weather weather) throws InterruptedException {
        long start = System.nanoTime();
        IntFunction<Publisher<?>> call = round -> scoped(scope, round % 4 == 0 ? "hot:" + round / 4 % HOT_KEYS
                : "own:" + round);
        CancelRounds rounds = new CancelRounds(ROUNDS, worked::get);
        Disposable storm = storm(weather).subscribe();
        try {
            if (end == End.CANCEL) {
                rounds.cancelling(call);
            } else {
                rounds.timingOut(call);
            }
        } finally {
            storm.dispose();
            proxy.reset();
            proxy.cut();
        }

        long left = leftAfterTwoSeconds();
        System.out.printf("%s %s %s: %d rounds, %d worked, %d overlaps, %d orphans, %d connections, %d ms%n", scope,
                end, weather, ROUNDS, worked.get(), overlaps.get(), left, proxy.accepted(),
                (System.nanoTime() - start) / 1_000_000);
        assertThat(left).as("keys left, such as %s", redis.randomkey()).isZero();
        assertThat(overlaps).hasValue(0);
        assertThat(worked).hasPositiveValue();
    }

    private Publisher<?> scoped(Scope scope, String key) {
        return scope == Scope.WITH_LOCK
                ? locks.withLock(key, MINUTE, this::work)
                : Flux.usingWhen(locks.acquire(key, MINUTE), this::work, RedisLock::release);
    }

    private Mono<Integer> work(RedisLock lock) {
        return Mono.fromSupplier(() -> {
                    RedisLock other = lastInside.put(lock.key(), lock);
                    // Twice, around ours: so at the moment between, both were held.
                    if (other != null && other.isAcquired() && lock.isAcquired() && other.isAcquired()) {
                        overlaps.incrementAndGet();
                    }
                    return worked.incrementAndGet();
                })
                .flatMap(count -> count % 2 == 0 ? Mono.just(count)
                        : Mono.delay(Duration.ofNanos(200_000)).thenReturn(count));
    }

    private Flux<?> storm(Weather weather) {
        return switch (weather) {
            case CALM -> Flux.never();
            case SCRIPT_FLUSH -> direct.connect().reactive().scriptFlush()
                    .then(Mono.delay(Duration.ofMillis(2)))
                    .repeat();
            case LOST_REPLIES -> locks.query("none").onErrorComplete()
                    .then(Mono.delay(Duration.ofMillis(250)))
                    .doOnNext(connected -> loseSomething())
                    .repeat();
        };
    }

    private void loseSomething() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        proxy.delayRequests(Duration.ofMillis(random.nextInt(2)));
        proxy.delayReplies(Duration.ofMillis(random.nextInt(2)));
        if (random.nextInt(4) == 0) {
            proxy.cut();
        } else {
            proxy.cutOnNextReply(1);
        }
    }

    /** Counted from the moment at which Redis is reached again. */
    private long leftAfterTwoSeconds() {
        locks.query("none").retry().block(Duration.ofSeconds(60));
        long left = redis.dbsize();
        for (long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
                left > 0 && System.nanoTime() - end < 0; left = redis.dbsize()) {
            Thread.onSpinWait();
        }
        return left;
    }
}
