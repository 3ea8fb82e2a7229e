package io.redislock.reactor;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.redislock.LockListener;
import io.redislock.LockOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How fast a lock goes from one to the next. Prints figures; what it asserts is only that they are figures of what was
 * meant: {@code mvn -B -Pscale -pl reactor-adapter -am test}.
 */
@Tag("scale")
class HandoffRateTest {

    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration MEASURED = Duration.ofSeconds(4);
    private static final int WARM_UP_ROUNDS = 200;
    private static final int ROUNDS = 1_000;
    private static final LockOptions PATIENT = LockOptions.defaults().waitAtMost(Duration.ofMinutes(1));

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final AtomicInteger waiting = new AtomicInteger();
    private final ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder.listener(new LockListener() {

        @Override
        public void waiting(String name, String key) {
            waiting.incrementAndGet();
        }
    }));
    private final String key = FIXTURE.freshKey();

    @BeforeEach
    void loadScripts() {
        FIXTURE.loadScripts();
    }

    @ParameterizedTest(name = "{0} callers")
    @ValueSource(ints = {1, 2, 16, 64, 256})
    void grantsPerSecondOfOneKeyInOneProcess(int callers) {
        handAround(callers, WARM_UP);
        FIXTURE.resetStats();
        long start = System.nanoTime();
        long grants = handAround(callers, MEASURED);
        double seconds = (System.nanoTime() - start) / 1e9;
        long scripts = FIXTURE.scriptCalls();
        System.out.printf("%d callers: %,.0f grants per second, %.2f scripts for each%n", callers, grants / seconds,
                (double) scripts / grants);

        assertThat(grants).isGreaterThanOrEqualTo(callers);
    }

    @Test
    void timeFromAForeignDeletionToHolding() throws Exception {
        measure("a foreign DEL", () -> FIXTURE.put(key, "foreign", PATIENT.expiry()), () -> FIXTURE.redis().del(key));
    }

    @Test
    void timeFromAReleaseByOtherLocksToHolding() throws Exception {
        ReactiveRedisLocks others = FIXTURE.locks(FIXTURE.client(FIXTURE.server().uri(),
                FIXTURE.client().getOptions()), builder -> builder);
        RedisLock[] held = new RedisLock[1];
        measure("a release by other locks", () -> held[0] = others.acquire(key, PATIENT).block(Await.PATIENCE),
                () -> held[0].release().block(Await.PATIENCE));
    }

    /** One round trip, to compare with. */
    @Test
    void timeOfARoundTrip() {
        long[] nanos = new long[ROUNDS];
        for (int i = -WARM_UP_ROUNDS; i < ROUNDS; i++) {
            long start = System.nanoTime();
            FIXTURE.redis().get(key);
            nanos[Math.max(0, i)] = System.nanoTime() - start;
        }
        print("a GET by a blocked thread", nanos);
    }

    private long handAround(int callers, Duration time) {
        AtomicLong grants = new AtomicLong();
        long start = System.nanoTime();
        Flux.range(0, callers)
                .flatMap(caller -> locks.withLock(key, PATIENT, lock -> Mono.fromRunnable(grants::incrementAndGet))
                        .repeat(() -> System.nanoTime() - start < time.toNanos()), callers)
                .blockLast(time.plus(Await.PATIENCE));
        return grants.get();
    }

    /** Somebody else holds the key for some milliseconds, and one waits here. */
    private void measure(String what, Runnable foreignHold, Runnable foreignRelease) throws Exception {
        long[] nanos = new long[ROUNDS];
        for (int i = -WARM_UP_ROUNDS; i < ROUNDS; i++) {
            foreignHold.run();
            int before = waiting.get();
            CompletableFuture<Long> heldAt = locks
                    .withLock(key, PATIENT, lock -> Mono.just(System.nanoTime())).toFuture();
            Await.until("it waits", () -> waiting.get() > before);
            TimeUnit.MICROSECONDS.sleep(ThreadLocalRandom.current().nextInt(3_000, 8_000));
            long releasedAt = System.nanoTime();
            foreignRelease.run();
            nanos[Math.max(0, i)] = heldAt.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS) - releasedAt;
        }
        print("from " + what + " to holding", nanos);
    }

    private static void print(String what, long[] nanos) {
        Arrays.sort(nanos);
        System.out.printf("%s, %d rounds: p50 %.0f us, p99 %.0f us, most %.0f us%n", what, nanos.length,
                nanos[nanos.length / 2] / 1e3, nanos[nanos.length * 99 / 100] / 1e3, nanos[nanos.length - 1] / 1e3);
        assertThat(nanos[0]).isPositive();
    }
}
