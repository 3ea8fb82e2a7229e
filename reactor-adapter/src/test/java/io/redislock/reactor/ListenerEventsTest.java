package io.redislock.reactor;

import java.time.Duration;

import io.redislock.LockOptions;
import io.redislock.reactor.store.InMemoryLockStore.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

import static org.assertj.core.api.Assertions.assertThat;

/** What a listener is told of acquisitions, in virtual time on a store in memory. */
class ListenerEventsTest {

    private static final LockOptions OPTIONS = LockOptions.defaults().jitter(0);

    private final EventLog events = new EventLog();
    private final VirtualLocks virtual = new VirtualLocks(events);

    @AfterEach
    void realTime() {
        virtual.close();
    }

    @Test
    void acquiredAtOnce() {
        virtual.locks.acquire("key", OPTIONS).subscribe();

        assertThat(events.names()).containsExactly("acquired");
    }

    @Test
    void acquiredAfterWaiting() {
        virtual.store.put("key", "foreign", Duration.ofMillis(300));
        virtual.locks.acquire("key", OPTIONS).subscribe();
        virtual.pass(Duration.ofSeconds(1));

        assertThat(events.names())
                .containsExactly("busyAttempt 1", "waiting", "busyAttempt 2", "acquired", "waitEnded");
    }

    @Test
    void notAcquired() {
        virtual.store.put("key", "foreign", Duration.ofHours(1));
        virtual.locks.acquire("key", OPTIONS.retry(1, Duration.ofMillis(10))).subscribe();
        virtual.pass(Duration.ofSeconds(1));

        assertThat(events.names())
                .containsExactly("busyAttempt 1", "waiting", "busyAttempt 2", "notAcquired", "waitEnded");
    }

    @Test
    void notAcquiredAndNeverWaited() {
        virtual.store.put("key", "foreign", Duration.ofHours(1));
        virtual.locks.acquire("key", OPTIONS.retry(0, Duration.ofMillis(10))).subscribe();
        virtual.locks.acquire("key", OPTIONS.waitAtMost(Duration.ZERO)).subscribe();

        assertThat(events.names())
                .containsExactly("busyAttempt 1", "notAcquired", "busyAttempt 1", "notAcquired");
    }

    @Test
    void unavailable() {
        virtual.store.faults(Fault.REFUSED);
        virtual.locks.acquire("key", OPTIONS).subscribe(lock -> { }, failure -> { });

        assertThat(events.names()).containsExactly("unavailable");
    }

    @Test
    void cancelledWhileWaiting() {
        virtual.store.put("key", "foreign", Duration.ofHours(1));
        Disposable waiting = virtual.locks.acquire("key", OPTIONS).subscribe();

        waiting.dispose();
        virtual.pass(Duration.ofHours(1));

        assertThat(events.names()).containsExactly("busyAttempt 1", "waiting", "abandoned", "waitEnded");
    }

    @Test
    void cancelledInFlight() {
        virtual.store.latency(Duration.ofMillis(100));
        virtual.locks.acquire("key", OPTIONS).subscribe().dispose();
        virtual.pass(Duration.ofSeconds(1));

        assertThat(events.names()).containsExactly("acquired", "released");
    }
}
