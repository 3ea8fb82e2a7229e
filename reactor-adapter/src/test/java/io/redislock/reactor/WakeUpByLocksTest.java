package io.redislock.reactor;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One who waits is woken by what locks of this library do: those of another process, of which the server tells, and
 * its own, of which the server does not.
 */
class WakeUpByLocksTest {

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final ReactiveRedisLocks locks = FIXTURE.locks();
    private final String key = FIXTURE.freshKey();

    @Test
    void releaseAfterTheScriptsWereFlushedWakes() {
        ReactiveRedisLocks others = FIXTURE.locks(builder -> builder);
        RedisLock held = others.acquire(key, LongWait.SCHEDULE).block(Await.PATIENCE);
        LongWait wait = LongWait.parked(locks, key);

        FIXTURE.redis().scriptFlush();
        assertThat(held.release().block(Await.PATIENCE)).isTrue();

        wait.endWithALock();
    }

    @Test
    void releaseByAnotherProcessWakes() {
        ReactiveRedisLocks others = FIXTURE.locks(builder -> builder);
        RedisLock held = others.acquire(key, LongWait.SCHEDULE).block(Await.PATIENCE);
        LongWait wait = LongWait.parked(locks, key);

        assertThat(held.release().block(Await.PATIENCE)).isTrue();

        wait.endWithALock();
    }

    @Test
    void anotherProcessThatClosesWakes() {
        ReactiveRedisLocks others = FIXTURE.locks(builder -> builder);
        others.acquire(key, LongWait.SCHEDULE.autoRenew(LongWait.HOUR)).block(Await.PATIENCE);
        LongWait wait = LongWait.parked(locks, key);

        others.close().block(Await.PATIENCE);

        wait.endWithALock();
    }

    @Test
    void renewalsOfTheHolderLeaveTheKeyWatched() {
        ReactiveRedisLocks others = FIXTURE.locks(builder -> builder);
        RedisLock held = others.acquire(key, LongWait.SCHEDULE).block(Await.PATIENCE);
        LongWait wait = LongWait.parked(locks, key);

        for (int minutes = 2; minutes < 5; minutes++) {
            assertThat(held.extend(Duration.ofMinutes(minutes)).block(Await.PATIENCE)).isTrue();
            LocksFixture.settle(locks, "unused");
        }
        assertThat(held.release().block(Await.PATIENCE)).isTrue();

        wait.endWithALock();
    }

    @Test
    void releaseOfAHandleOfTheSameLocksWakes() {
        RedisLock held = locks.acquire(key, LongWait.SCHEDULE).block(Await.PATIENCE);
        LongWait wait = LongWait.parked(locks, key);

        assertThat(held.release().block(Await.PATIENCE)).isTrue();

        wait.endWithALock();
    }

    /** The server does not tell a connection what it did itself. */
    @Test
    void releaseByValueOnTheSameLocksWakes() {
        FIXTURE.put(key, "by value", LongWait.HOUR);
        LongWait wait = LongWait.parked(locks, key);

        assertThat(locks.release(key, "by value").block(Await.PATIENCE)).isTrue();

        wait.endWithALock();
    }

    /** As before, and it is the end of the lease that changes. */
    @Test
    void leaseThatIsShortenedByValueOnTheSameLocksIsHadAtItsEnd() {
        FIXTURE.put(key, "by value", LongWait.HOUR);
        LongWait wait = LongWait.parked(locks, key);

        assertThat(locks.extend(key, "by value", Duration.ofMillis(100)).block(Await.PATIENCE)).isTrue();

        wait.endWithALock();
    }

    @Test
    void takenKeyOfTheSameLocksIsHadWhenItExpires() {
        assertThat(locks.take(key, "by value", Duration.ofMillis(300)).block(Await.PATIENCE)).isTrue();
        LongWait wait = LongWait.begin(locks, key);

        wait.endWithALock();
    }

    @Test
    void scopedWorkThatWaitsIsWokenToo() {
        FIXTURE.put(key, "foreign", LongWait.HOUR);
        var worked = locks.withLock(key, LongWait.SCHEDULE, lock -> Mono.just("worked")).toFuture();
        LocksFixture.settle(locks, "unused");

        FIXTURE.redis().del(key);

        assertThat(Mono.fromFuture(worked).block(Await.PATIENCE)).isEqualTo("worked");
    }

    @Test
    void allWhoWaitInOneProcessHaveTheirTurn() {
        FIXTURE.put(key, "foreign", LongWait.HOUR);
        var worked = Flux.range(0, 50)
                .flatMap(caller -> locks.withLock(key, LongWait.SCHEDULE, lock -> Mono.just(caller)), 50)
                .collectList().toFuture();
        LocksFixture.settle(locks, "unused");

        FIXTURE.redis().del(key);

        assertThat(Mono.fromFuture(worked).block(Await.PATIENCE)).hasSize(50);
    }

    @Test
    void lockPassesBetweenProcessesWithinMilliseconds() {
        Latencies latencies = new Latencies();
        ReactiveRedisLocks others = FIXTURE.locks(builder -> builder);
        for (int round = 0; round < 50; round++) {
            RedisLock held = locks.acquire(key, LongWait.SCHEDULE).block(Await.PATIENCE);
            LongWait wait = LongWait.parked(others, key);
            long start = System.nanoTime();
            held.release().subscribe();
            RedisLock lock = wait.lock();
            latencies.since(start);
            lock.release().block(Await.PATIENCE);
        }

        latencies.print("From a release to the lock of another process");
        assertThat(latencies.median()).isLessThan(Duration.ofMillis(100));
    }
}
