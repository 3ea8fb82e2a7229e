package io.redislock.reactor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.redislock.LockNotAcquiredException;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import io.redislock.reactor.store.InMemoryLockStore.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** When attempts are made, in virtual time on a store in memory. */
class RetryScheduleTest {

    private static final Duration STEP = Duration.ofMillis(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final VirtualLocks virtual = new VirtualLocks();
    private final AtomicReference<String> end = new AtomicReference<>("");

    @AfterEach
    void realTime() {
        virtual.close();
    }

    @Test
    void defaultsAreFourAttemptsWithinTheJitterOfADoublingDelay() {
        for (int round = 0; round < 50; round++) {
            List<Long> delays = delaysOfABusyAcquisition(LockOptions.defaults());

            assertThat(end).hasValue("empty");
            assertThat(delays).hasSize(3);
            // The first delay of Reactor's backoff only jitters up, later ones both ways, by a half.
            assertThat(delays.get(0)).isBetween(200L, 300L);
            assertThat(delays.get(1)).isBetween(200L, 600L);
            assertThat(delays.get(2)).isBetween(400L, 1_200L);
        }
    }

    @Test
    void jitterMovesDelays() {
        List<Long> firstDelays = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            firstDelays.add(delaysOfABusyAcquisition(LockOptions.defaults()).get(0));
        }

        assertThat(firstDelays.stream().distinct().count()).isGreaterThan(5);
    }

    @Test
    void withoutJitterDelaysDoubleUpToTheCap() {
        List<Long> delays = delaysOfABusyAcquisition(LockOptions.defaults()
                .retry(7, Duration.ofMillis(100)).jitter(0).maxRetryDelay(Duration.ofMillis(900)));

        assertThat(delays).containsExactly(100L, 200L, 400L, 800L, 900L, 900L, 900L);
    }

    @Test
    void capBelowTheFirstDelayHasNoEffect() {
        List<Long> delays = delaysOfABusyAcquisition(LockOptions.defaults()
                .retry(3, Duration.ofSeconds(5)).jitter(0).maxRetryDelay(Duration.ofMillis(1)));

        assertThat(delays).containsExactly(5_000L, 5_000L, 5_000L);
    }

    @Test
    void noRetryIsOneAttempt() {
        assertThat(delaysOfABusyAcquisition(LockOptions.defaults().retry(0, Duration.ofMillis(1)))).isEmpty();
        assertThat(end).hasValue("empty");
        assertThat(virtual.store.acquisitions()).isEqualTo(1);
    }

    @Test
    void waitAtMostBoundsTheWaitAndMakesALastAttemptAtItsEnd() {
        List<Long> delays = delaysOfABusyAcquisition(LockOptions.defaults()
                .waitAtMost(Duration.ofSeconds(3)).jitter(0).maxRetryDelay(Duration.ofHours(1)));

        // 200, 400, 800, and 1,600 more would end at 3,000 exactly; so the last one is cut by nothing.
        assertThat(delays).containsExactly(200L, 400L, 800L, 1_600L);
        assertThat(end).hasValue("empty");
    }

    @Test
    void delayThatWouldRunPastTheEndOfTheWaitIsCut() {
        assertThat(delaysOfABusyAcquisition(LockOptions.defaults().waitAtMost(Duration.ofMillis(500)).jitter(0)))
                .containsExactly(200L, 300L);
    }

    @Test
    void retriesBoundAWaitThatIsBoundedInTimeToo() {
        assertThat(delaysOfABusyAcquisition(LockOptions.defaults()
                .waitAtMost(HOUR).retry(2, Duration.ofMillis(10)).jitter(0))).containsExactly(10L, 20L);
    }

    @Test
    void noWaitAtAllIsOneAttempt() {
        assertThat(delaysOfABusyAcquisition(LockOptions.defaults().waitAtMost(Duration.ZERO))).isEmpty();
    }

    @Test
    void waitWithoutEndGoesOn() {
        virtual.store.put("key", "foreign", Duration.ofDays(3));
        Disposable waiting = acquire(LockOptions.defaults().waitAtMost(Duration.ofSeconds(Long.MAX_VALUE)));

        virtual.pass(Duration.ofDays(2));
        assertThat(end).hasValue("");
        virtual.pass(Duration.ofDays(2));

        assertThat(end).hasValue("acquired");
        assertThat(waiting.isDisposed()).isTrue();
    }

    @Test
    void attemptInFlightAtTheEndOfTheWaitIsAwaitedAndCounts() {
        virtual.store.put("key", "foreign", Duration.ofMillis(500));
        virtual.store.latency(Duration.ofMillis(100));

        // Attempts at 0 and 300 (the reply at 100, and 200 later), and at the end of the wait, 550.
        acquire(LockOptions.defaults().waitAtMost(Duration.ofMillis(550)).jitter(0));
        virtual.pass(Duration.ofMillis(600));
        assertThat(end).hasValue("");
        virtual.pass(Duration.ofMillis(100));

        assertThat(end).hasValue("acquired");
    }

    @Test
    void lockThatBecomesFreeIsTakenAtTheNextAttempt() {
        virtual.store.put("key", "foreign", HOUR);
        acquire(LockOptions.defaults().jitter(0));

        virtual.pass(Duration.ofMillis(300));
        virtual.store.delete("key");
        virtual.pass(Duration.ofMillis(299));
        assertThat(end).hasValue("");
        virtual.pass(STEP);

        assertThat(end).hasValue("acquired");
    }

    @Test
    void exhaustionTellsAttemptsWaitAndHolder() {
        virtual.store.put("key", "foreign", Duration.ofSeconds(100));
        AtomicReference<Throwable> failure = new AtomicReference<>();
        virtual.locks.withLock("key", LockOptions.defaults().jitter(0), lock -> Mono.just("never"))
                .subscribe(value -> { }, failure::set);

        virtual.pass(Duration.ofMillis(1_400));

        assertThat(failure.get()).isInstanceOfSatisfying(LockNotAcquiredException.class, busy -> {
            assertThat(busy.attempts()).isEqualTo(4);
            assertThat(busy.waited()).isEqualTo(Duration.ofMillis(1_400));
            assertThat(busy.holderRemaining()).contains(Duration.ofMillis(98_600));
            assertThat(busy.key()).isEqualTo("key");
        });
    }

    @Test
    void unavailabilityEndsTheWaitAtOnce() {
        virtual.store.put("key", "foreign", HOUR);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        virtual.locks.acquire("key").subscribe(lock -> { }, failure::set);

        virtual.store.faults(Fault.REFUSED);
        virtual.pass(Duration.ofMillis(300));

        assertThat(failure.get()).isInstanceOf(LockUnavailableException.class);
        assertThat(virtual.store.acquisitions()).isEqualTo(1);
    }

    @Test
    void cancelDuringADelayEndsTheAttempts() {
        virtual.store.put("key", "foreign", Duration.ofMillis(100));
        Disposable waiting = acquire(LockOptions.defaults());

        virtual.pass(Duration.ofMillis(50));
        waiting.dispose();
        virtual.pass(HOUR);

        assertThat(virtual.store.acquisitions()).isEqualTo(1);
        assertThat(virtual.store.value("key")).isEmpty();
    }

    @Test
    void everySubscriptionHasItsOwnSchedule() {
        virtual.store.put("key", "foreign", HOUR);
        Mono<RedisLock> acquisition = virtual.locks.acquire("key", LockOptions.defaults().jitter(0));

        acquisition.subscribe();
        virtual.pass(HOUR.dividedBy(2));
        acquisition.subscribe();
        virtual.pass(HOUR.dividedBy(4));

        assertThat(virtual.store.acquisitions()).isEqualTo(8);
    }

    private List<Long> delaysOfABusyAcquisition(LockOptions options) {
        virtual.store.put("key", "foreign", HOUR.multipliedBy(24));
        end.set("");
        int before = virtual.store.acquisitions();
        int seen = before;
        List<Long> delays = new ArrayList<>();
        long since = 0;
        acquire(options);
        for (long millis = 0; end.get().isEmpty() && millis < HOUR.toMillis(); millis++) {
            if (virtual.store.acquisitions() > seen) {
                if (seen > before) {
                    delays.add(millis - since);
                }
                seen = virtual.store.acquisitions();
                since = millis;
            }
            virtual.pass(STEP);
        }
        if (virtual.store.acquisitions() > seen && seen > before) {
            delays.add(endMillis - since);
        }
        return delays;
    }

    private Disposable acquire(LockOptions options) {
        long start = virtual.time.now(TimeUnit.MILLISECONDS);
        return virtual.locks.acquire("key", options)
                .subscribe(lock -> end.set("acquired"), failure -> end.set(failure.toString()), () -> {
                    endMillis = virtual.time.now(TimeUnit.MILLISECONDS) - start;
                    end.compareAndSet("", "empty");
                });
    }

    private long endMillis;
}
