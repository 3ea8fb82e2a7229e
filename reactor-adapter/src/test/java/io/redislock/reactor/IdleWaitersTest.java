package io.redislock.reactor;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.redislock.LockListener;
import io.redislock.LockNotAcquiredException;
import io.redislock.LockOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.function.Tuple2;
import reactor.util.retry.Retry;

import static org.assertj.core.api.Assertions.assertThat;

/** A thousand callers of one process who wait for one key cost Redis no more than one does. */
@Tag("long")
class IdleWaitersTest {

    private static final int WAITERS = 1_000;
    private static final Duration LONG = Duration.ofMinutes(10);
    /** Longer than the longest delay of a schedule, so that the schedule of each waiter comes round. */
    private static final Duration LOOK = Duration.ofSeconds(8);
    private static final double MOST_CALLS_PER_SECOND = 2;
    private static final LockOptions PATIENT = LockOptions.defaults().waitAtMost(LONG);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final AtomicInteger waiting = new AtomicInteger();
    private final ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder.listener(new LockListener() {

        @Override
        public void waiting(String name, String key) {
            waiting.incrementAndGet();
        }

        @Override
        public void waitEnded(String name, String key) {
            waiting.decrementAndGet();
        }
    }));
    private final String key = FIXTURE.freshKey();
    private final Disposable.Composite waiters = Disposables.composite();

    @BeforeEach
    void foreignClientHoldsTheKey() {
        FIXTURE.loadScripts();
        FIXTURE.put(key, "foreign", LONG);
        FIXTURE.resetStats();
    }

    @AfterEach
    void nobodyWaitsAnyMore() {
        waiters.dispose();
        FIXTURE.redis().del(key);
    }

    @Test
    void thousandWaitersSendAtMostTwoScriptsPerSecond() throws InterruptedException {
        long start = System.nanoTime();
        allWait(waiter -> Mono.empty());
        long joined = System.nanoTime();
        long joiningCalls = FIXTURE.scriptCalls();
        TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
        double calls = FIXTURE.scriptCalls();
        double sinceJoined = (calls - joiningCalls) / secondsSince(joined);
        double sinceStart = calls / secondsSince(start);
        System.out.printf("%,d waiters: %d scripts while they joined; then %.2f per second; %.2f from the start on%n",
                WAITERS, joiningCalls, sinceJoined, sinceStart);

        assertThat(sinceJoined).as("scripts per second").isLessThanOrEqualTo(MOST_CALLS_PER_SECOND);
        assertThat(sinceStart).as("scripts per second from the start on").isLessThanOrEqualTo(MOST_CALLS_PER_SECOND);
    }

    @Test
    void thousandWaitersGetTheReleasedLockOnceEachInTheOrderInWhichTheyCame() throws InterruptedException {
        Queue<Integer> served = new ConcurrentLinkedQueue<>();
        CountDownLatch all = new CountDownLatch(WAITERS);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        allWait(waiter -> Mono.defer(() -> {
            if (inside.getAndIncrement() != 0) {
                overlaps.incrementAndGet();
            }
            served.add(waiter);
            return Mono.<Void>fromRunnable(inside::decrementAndGet).doOnTerminate(all::countDown);
        }));
        FIXTURE.resetStats();

        long start = System.nanoTime();
        FIXTURE.redis().del(key);
        assertThat(all.await(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("all were served").isTrue();
        double seconds = secondsSince(start);
        long calls = FIXTURE.scriptCalls();
        System.out.printf("%,d waiters served in %.3f s with %,d scripts%n", WAITERS, seconds, calls);

        assertThat(served).containsExactlyElementsOf(IntStream.range(0, WAITERS).boxed().toList());
        assertThat(overlaps).hasValue(0);
        Await.until("the last release is done", () -> !FIXTURE.exists(key));
    }

    @Test
    void thousandCancelledWaitersLeaveNoKeyAndSendNothingMore() throws InterruptedException {
        allWait(waiter -> Mono.never());
        waiters.dispose();
        Await.until("nobody waits", () -> waiting.get() == 0);
        LocksFixture.settle(locks, FIXTURE.freshKey());
        FIXTURE.resetStats();
        FIXTURE.redis().del(key);
        // Any wake-up would be at once, any attempt of a schedule within its longest delay.
        TimeUnit.NANOSECONDS.sleep(PATIENT.maxRetryDelay().toNanos());

        assertThat(FIXTURE.scriptCalls()).as("scripts after the cancel").isZero();
        assertThat(FIXTURE.redis().dbsize()).as("keys left").isZero();
    }

    @Test
    void thousandWaitersWithRetriesEndWhenTheirScheduleDoes() {
        LockOptions thrice = LockOptions.defaults().retry(3, Duration.ofMillis(200));
        // 200 ms, which jitter only lengthens, then 400 and 800, each up to a half more or less.
        Duration soonest = Duration.ofMillis(200 + 200 + 400);
        Duration oneDelay = Duration.ofMillis(1_200);
        Retry plain = Retry.backoff(3, Duration.ofMillis(200)).jitter(0.5)
                .onRetryExhaustedThrow((spec, signal) -> signal.failure());
        Throwable busy = new LockNotAcquiredException(key, 1, Duration.ZERO, Duration.ZERO);
        // At the same time, so that a machine that stands still does so for both.
        Mono<List<Duration>> delaysOfReactor = all(waiter -> untilNotAcquired(Mono.error(busy).retryWhen(plain)));
        Tuple2<List<Duration>, List<Duration>> both = Mono.zip(delaysOfReactor,
                        all(waiter -> untilNotAcquired(locks.withLock(key, thrice, lock -> Mono.just(1)))))
                .blockOptional(Await.PATIENCE).orElseThrow();
        Duration latest = both.getT1().stream().max(Duration::compareTo).orElseThrow();
        List<Duration> waits = both.getT2();
        long calls = FIXTURE.scriptCalls();
        System.out.printf("%,d waiters with 3 retries waited from %s to %s, with %d scripts;"
                        + " plain delays took up to %s%n", WAITERS,
                waits.stream().min(Duration::compareTo).orElseThrow(),
                waits.stream().max(Duration::compareTo).orElseThrow(), calls, latest);

        assertThat(waits).hasSize(WAITERS)
                .allSatisfy(wait -> assertThat(wait).isBetween(soonest, latest.plus(oneDelay)));
        assertThat(FIXTURE.redis().get(key)).isEqualTo("foreign");
    }

    /** Lets all of them ask, in this order, and returns when the last one waits. */
    private void allWait(IntFunction<Mono<Void>> work) {
        for (int i = 0; i < WAITERS; i++) {
            int waiter = i;
            waiters.add(locks.withLock(key, PATIENT, lock -> work.apply(waiter)).subscribe());
        }
        Await.until("all wait", () -> waiting.get() == WAITERS);
    }

    private static Mono<List<Duration>> all(IntFunction<Mono<Duration>> call) {
        return Flux.range(0, WAITERS).flatMap(call::apply, WAITERS).collectList();
    }

    private static Mono<Duration> untilNotAcquired(Mono<?> call) {
        return Mono.defer(() -> {
            long start = System.nanoTime();
            return call.then(Mono.<Duration>error(new AssertionError("acquired")))
                    .onErrorResume(LockNotAcquiredException.class,
                            busy -> Mono.fromSupplier(() -> Duration.ofNanos(System.nanoTime() - start)));
        });
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
