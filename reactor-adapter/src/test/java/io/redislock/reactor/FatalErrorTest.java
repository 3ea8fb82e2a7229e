package io.redislock.reactor;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.redislock.LockOptions;
import io.redislock.lease.LeaseClock;
import io.redislock.protocol.OwnerTokens;
import io.redislock.reactor.store.InMemoryLockStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reactor throws what the JVM calls fatal, a missing class for instance, right through every operator. What one
 * caller's code throws that way must not leave the others waiting.
 */
class FatalErrorTest {

    private final VirtualLocks virtual = new VirtualLocks();
    private final List<Object> signals = new ArrayList<>();

    @AfterEach
    void realTime() {
        virtual.close();
    }

    /** In real time, because virtual time stops when one of its tasks throws. */
    @Test
    void errorOfOneExtensionsListenerDoesNotStopTheNextExtension() {
        InMemoryLockStore store = new InMemoryLockStore(LeaseClock.system());
        ReactiveRedisLocks locks = new StoreRedisLocks(new LockEnvironment(store, new OwnerTokens(new SecureRandom()),
                LeaseClock.system(), null, new SafeListener(List.of())), "", LockOptions.defaults(),
                Duration.ofSeconds(5));
        VirtualTimeScheduler.reset();
        RedisLock lock = locks.acquire("key").block(Await.PATIENCE);
        store.latency(Duration.ofMillis(10));
        AtomicInteger thrown = new AtomicInteger();

        lock.extend(Duration.ofSeconds(30)).map(extended -> {
            thrown.incrementAndGet();
            return missingClass(extended);
        }).subscribe();
        Await.until("it has thrown", () -> thrown.get() == 1);

        assertThat(lock.extend(Duration.ofSeconds(30)).block(Await.PATIENCE)).isTrue();
        store.latency(Duration.ZERO);
        try {
            lock.extend(Duration.ofSeconds(30)).map(FatalErrorTest::missingClass).subscribe();
        } catch (NoClassDefFoundError thrownAtOnce) {
            // unless the thread of the extension before was still there to take this one over
        }
        assertThat(lock.extend(Duration.ofSeconds(30)).block(Await.PATIENCE)).isTrue();
        assertThat(lock.release().block(Await.PATIENCE)).isTrue();
    }

    @Test
    void errorOfTheWorksOwnListenerDoesNotKeepTheWorkRunning() {
        AtomicInteger cancelled = new AtomicInteger();
        virtual.locks.withLock("key", LockOptions.defaults(), lock -> {
            lock.lost().map(FatalErrorTest::missingClass).subscribe();
            return Mono.never().doOnCancel(cancelled::incrementAndGet);
        }).subscribe(signals::add, signals::add);

        pass(Duration.ofMinutes(1));

        assertThat(cancelled).hasValue(1);
        assertThat(signals).hasSize(1);
    }

    @Test
    void errorOfAWaiterDoesNotStopClosing() {
        virtual.store.put("key", "foreign", Duration.ofHours(1));
        virtual.locks.acquire("key", LockOptions.defaults().waitAtMost(Duration.ofMinutes(1)))
                .doOnError(FatalErrorTest::missingClass)
                .subscribe(lock -> { }, failure -> { });
        RedisLock held = acquire("held");

        virtual.locks.close().subscribe(closed -> { }, signals::add, () -> signals.add("closed"));
        pass(Duration.ofSeconds(10));

        assertThat(signals).containsExactly("closed");
        assertThat(held.isAcquired()).isFalse();
        assertThat(virtual.store.value("held")).isEmpty();
    }

    private RedisLock acquire(String key) {
        AtomicReference<RedisLock> acquired = new AtomicReference<>();
        virtual.locks.acquire(key, LockOptions.defaults()).subscribe(acquired::set);
        return acquired.get();
    }

    /** Time is moved by the thread that gets what its tasks throw. */
    private void pass(Duration duration) {
        try {
            virtual.pass(duration);
        } catch (NoClassDefFoundError thrown) {
            virtual.pass(duration);
        }
    }

    private static Object missingClass(Object any) {
        throw new NoClassDefFoundError("thrown on purpose");
    }
}
