package io.redislock.reactor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.redislock.LockLoss;
import io.redislock.LockLostException;
import io.redislock.LockOptions;
import io.redislock.LockState;
import io.redislock.LockUnavailableException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/** Closing while a thousand locks are held and a thousand waited for leaves nothing behind. */
class CloseAtScaleTest {

    private static final int MANY = 1_000;
    private static final String DECORATOR = "close-at-scale";
    private static final LockOptions HELD = LockOptions.defaults().expiry(Duration.ofMinutes(10))
            .autoRenew(Duration.ofHours(1));
    private static final LockOptions WAITING = HELD.waitAtMost(Duration.ofHours(1)).retry(Long.MAX_VALUE,
            Duration.ofMinutes(1));
    private static final List<ScheduledThreadPoolExecutor> TIMERS = new CopyOnWriteArrayList<>();

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    /** Fresh schedulers, so that their timers can be counted. */
    @BeforeAll
    static void watchTimers() {
        Schedulers.addExecutorServiceDecorator(DECORATOR, (scheduler, service) -> {
            if (service instanceof ScheduledThreadPoolExecutor timers) {
                TIMERS.add(timers);
            }
            return service;
        });
        Schedulers.shutdownNow();
    }

    @AfterAll
    static void stopWatching() {
        Schedulers.removeExecutorServiceDecorator(DECORATOR);
        Schedulers.shutdownNow();
    }

    @Test
    void everybodyIsToldAndNothingIsLeft() {
        RedisClient client = FIXTURE.client(FIXTURE.server().uri(), ClientOptions.create());
        EventLog events = new EventLog();
        ReactiveRedisLocks locks = ReactiveRedisLocks.builder(client).listener(events).build();
        long connections = connections();
        long threads = threads();
        List<RedisLock> held = Flux.range(0, MANY / 2).flatMap(i -> locks.acquire("held:" + i, HELD)).collectList()
                .block(Await.PATIENCE);
        List<Object> ends = new CopyOnWriteArrayList<>();
        AtomicInteger working = new AtomicInteger();
        AtomicInteger cancelled = new AtomicInteger();
        for (int i = 0; i < MANY / 2; i++) {
            locks.withLock("worked:" + i, HELD, lock -> Mono.never()
                            .doOnSubscribe(subscription -> working.incrementAndGet())
                            .doOnCancel(cancelled::incrementAndGet))
                    .subscribe(ends::add, ends::add);
        }
        Await.until("all work", () -> working.get() == MANY / 2);
        List<Object> waits = new CopyOnWriteArrayList<>();
        for (int i = 0; i < MANY; i++) {
            locks.acquire("held:" + i % (MANY / 2), WAITING).subscribe(waits::add, waits::add, () -> waits.add("empty"));
        }
        Await.until("all wait", () -> events.names().stream().filter("waiting"::equals).count() == MANY);

        locks.close().block(Await.PATIENCE);

        assertThat(held).allSatisfy(lock -> {
            assertThat(lock.lost().block(Await.PATIENCE)).isEqualTo(LockLoss.CLOSED);
            assertThat(lock.isAcquired()).isFalse();
            assertThat(lock.state()).isEqualTo(LockState.RELEASED);
        });
        Await.until("all work has ended", () -> ends.size() == MANY / 2);
        assertThat(cancelled).hasValue(MANY / 2);
        assertThat(ends).allSatisfy(end -> assertThat(end).isInstanceOfSatisfying(LockLostException.class,
                lost -> assertThat(lost.reason()).isEqualTo(LockLoss.CLOSED)));
        assertThat(waits).hasSize(MANY).allSatisfy(end -> assertThat(end)
                .isInstanceOfSatisfying(LockUnavailableException.class, closed -> {
                    assertThat(closed).hasMessageContaining("closed");
                    assertThat(closed.outcomeUnknown()).isFalse();
                }));
        assertThat(FIXTURE.redis().dbsize()).isZero();
        assertThat(events.names().stream().collect(Collectors.groupingBy(name -> name, Collectors.counting())))
                .containsEntry("acquired", (long) MANY)
                .containsEntry("lost CLOSED", (long) MANY)
                .containsEntry("unavailable", (long) MANY)
                .containsEntry("waitEnded", (long) MANY)
                .doesNotContainKeys("released", "releaseFailed");
        Await.until("the connection is closed", () -> connections() == connections - 1);
        Await.until("no timer is left", () -> TIMERS.stream().mapToInt(timers -> timers.getQueue().size()).sum() == 0);
        assertThat(threads()).isLessThanOrEqualTo(threads + Schedulers.DEFAULT_POOL_SIZE);
    }

    private static long connections() {
        return FIXTURE.redis().clientList().lines().count();
    }

    /** Those of Reactor's own pools are made on first use, and shared with everybody. */
    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.getName().startsWith("boundedElastic"))
                .count();
    }
}
