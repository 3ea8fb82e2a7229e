package io.redislock.reactor;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.redislock.LockListener;
import io.redislock.LockOptions;
import io.redislock.lease.LeaseClock;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.OwnerTokens;
import io.redislock.reactor.store.InMemoryLockStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A caller is told of an answer so late that it shares another attempt by then. The interleaving is built by hand: the
 * first in the queue is the test itself, and a hook is where the second one sets its timer.
 */
class StaleNewsTest {

    private static final String HOOK = "stale news";
    private static final Duration SECOND = Duration.ofSeconds(1);
    /** More than the delay of the second caller. */
    private static final long LONG_ENOUGH_MILLIS = 100;

    private final InMemoryLockStore store = new InMemoryLockStore(LeaseClock.system());
    private final LockEnvironment environment = new LockEnvironment(store, new OwnerTokens(new SecureRandom()),
            LeaseClock.system(), null, new SafeListener(List.of(new LockListener() {
            })));
    private final ReactiveRedisLocks locks = new StoreRedisLocks(environment, "", LockOptions.defaults(), SECOND);
    private final AtomicReference<Runnable> atTheNextTimer = new AtomicReference<>();
    private final CompletableFuture<RedisLock> second = new CompletableFuture<>();
    private Place first;

    @AfterEach
    void noHook() {
        Schedulers.resetOnScheduleHook(HOOK);
    }

    @Test
    void newsOfAnEarlierAttemptDoNotEndTheWaitForALaterOne() throws Exception {
        store.watching(true);
        Schedulers.onScheduleHook(HOOK, task -> {
            Runnable once = atTheNextTimer.getAndSet(null);
            if (once != null) {
                once.run();
            }
            return task;
        });
        first = environment.queues().join(LockKey.of("", "key"), SECOND, new FirstCaller());

        environment.queues().changed("key");
        first.busy(new Busy(null));
        first.leave();

        assertThat(second.get(30, TimeUnit.SECONDS).isAcquired()).isTrue();
    }

    private final class FirstCaller implements Place.Caller {

        private boolean wokenBefore;

        /** Here the queue is telling its news; whoever has more of them leaves them to this thread. */
        @Override
        public void woken() {
            if (wokenBefore) {
                return;
            }
            wokenBefore = true;
            assertThat(first.turn()).isSameAs(Turn.ATTEMPT);
            // The second shares that attempt, and while it begins to wait for the answer, the answer comes.
            atTheNextTimer.set(() -> first.busy(new Busy(null)));
            locks.acquire("key", LockOptions.defaults().retry(1_000, Duration.ofMillis(5)).commandTimeout(SECOND))
                    .subscribe(second::complete, second::completeExceptionally);
            // Its delay ends, and it shares the next attempt, before it is told of the first.
            assertThat(first.turn()).isSameAs(Turn.ATTEMPT);
            try {
                Thread.sleep(LONG_ENOUGH_MILLIS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void promoted() {
            // not what this is about
        }

        @Override
        public void answered() {
            // not what this is about
        }
    }
}
