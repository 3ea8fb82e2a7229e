package io.redislock.reactor;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

import io.lettuce.core.ClientOptions;
import io.redislock.testsupport.FaultProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** News that a broken connection did not bring: whoever waits has the lock all the same, long before its schedule. */
@Tag("long")
class WakeUpReconnectTest {

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final String key = FIXTURE.freshKey();
    private FaultProxy proxy;
    private ReactiveRedisLocks locks;

    @BeforeEach
    void connectThroughTheProxy() {
        proxy = FaultProxy.to(FIXTURE.server());
        locks = FIXTURE.locks(FIXTURE.client(proxy.uri(), ClientOptions.create()), builder -> builder);
    }

    @AfterEach
    void openTheWay() {
        proxy.reset();
        proxy.refuse(false);
        LocksFixture.settle(locks, "unused");
        locks.close().block(Await.PATIENCE);
        proxy.close();
    }

    @Test
    void keyThatWasDeletedDuringADisconnectIsHad() {
        LongWait wait = parked();
        proxy.refuse(true);
        proxy.cut();

        FIXTURE.redis().del(key);
        assertThat(wait.isOver()).isFalse();
        proxy.refuse(false);

        wait.endWithALock();
    }

    @Test
    void keyThatIsDeletedAfterAReconnectIsHad() {
        LongWait wait = parked();
        long before = proxy.accepted();
        proxy.cut();
        Await.until("it is connected again", () -> proxy.accepted() > before);
        LocksFixture.settle(locks, "unused");

        FIXTURE.redis().del(key);

        wait.endWithALock();
    }

    /** The news went into the black hole. */
    @Test
    void keyThatWasDeletedWhileTheConnectionWasDeadIsHadOnTheNext() {
        LongWait wait = parked();
        proxy.blackhole(true);
        FIXTURE.redis().del(key);
        proxy.cut();

        proxy.blackhole(false);

        wait.endWithALock();
    }

    @Test
    void firstAttemptThatCouldNotBeSentYetIsWatchedToo() {
        FIXTURE.put(key, "foreign", LongWait.HOUR);
        proxy.refuse(true);
        proxy.cut();
        LongWait wait = LongWait.begin(locks, key);
        proxy.refuse(false);
        LocksFixture.settle(locks, "unused");

        FIXTURE.redis().del(key);

        wait.endWithALock();
    }

    @Test
    void serverThatIsStartedAgainWithoutItsDataIsHad() {
        LongWait wait = parked();

        FIXTURE.restartServer();

        wait.endWithALock();
    }

    @Test
    void keyThatAnotherHoldsOnTheRestartedServerIsWatchedThere() {
        LongWait wait = parked();
        proxy.refuse(true);
        proxy.cut();
        FIXTURE.restartServer();
        FIXTURE.put(key, "another", LongWait.HOUR);
        proxy.refuse(false);
        LocksFixture.settle(locks, "unused");

        FIXTURE.redis().del(key);

        wait.endWithALock();
    }

    /** Its connection waits for the answer to its greeting, so tracking is not asked for yet. */
    @Test
    void keyThatIsDeletedBetweenTheReconnectAndTrackingIsHad() {
        LongWait wait = parked();
        FIXTURE.resetStats();
        proxy.delayReplies(Duration.ofMillis(300));
        proxy.cut();
        Await.until("it greets the server again", () -> FIXTURE.calls("hello") > 0);

        FIXTURE.redis().del(key);
        assertThat(FIXTURE.calls("client|tracking")).isZero();
        proxy.delayReplies(Duration.ZERO);

        wait.endWithALock();
    }

    /** Longer than anybody waits for it, so tracking is asked for once more. */
    @Test
    void keyIsHadAlthoughTheAnswerToTrackingWasLate() {
        LongWait wait = parked();
        FIXTURE.resetStats();
        proxy.delayReplies(Duration.ofMillis(300));
        proxy.cut();
        Await.until("tracking is asked for", () -> FIXTURE.calls("client|tracking") > 0);
        proxy.delayReplies(LongWait.HOUR); // for the answer too, which is on its way
        FIXTURE.redis().del(key);
        long asked = System.nanoTime();
        Await.until("the answer is late", () -> System.nanoTime() - asked > Duration.ofMillis(2500).toNanos());
        proxy.delayReplies(Duration.ZERO);

        wait.endWithALock();
    }

    /** The connection is up for some moments before tracking is, and what waited to be sent comes in between. */
    @Test
    void keyThatIsDeletedAtAnyMomentAroundAReconnectIsHad() {
        Latencies latencies = new Latencies();
        for (int round = 0; round < Rounds.of(400); round++) {
            proxy.delayRequests(Duration.ofNanos(random(Duration.ofMillis(3))));
            proxy.delayReplies(Duration.ofNanos(random(Duration.ofMillis(3))));
            LongWait wait = parked();
            passSomeOfAReconnect(round % 2 == 0);
            FIXTURE.redis().del(key);
            long deleted = System.nanoTime();
            RedisLock lock = wait.lock();
            latencies.since(deleted);
            lock.release().block(Await.PATIENCE);
        }
        latencies.print("From a DEL around a reconnect to the lock");
    }

    /** The attempt itself is sent at any moment, or sent again. */
    @Test
    void firstAttemptAtAnyMomentAroundAReconnectIsWatched() {
        for (int round = 0; round < Rounds.of(400); round++) {
            proxy.delayRequests(Duration.ofNanos(random(Duration.ofMillis(3))));
            FIXTURE.put(key, "foreign", LongWait.HOUR);
            LongWait wait;
            if (round % 4 == 0) {
                wait = LongWait.begin(locks, key);
                passSomeOfAReconnect(false);
            } else {
                passSomeOfAReconnect(round % 2 == 0);
                wait = LongWait.begin(locks, key);
                LockSupport.parkNanos(random(Duration.ofMillis(10)));
            }
            FIXTURE.redis().del(key);
            wait.endWithALock();
        }
    }

    /** Returns at some moment before, in or after it. */
    private void passSomeOfAReconnect(boolean untilConnected) {
        long before = proxy.accepted();
        proxy.cut();
        if (untilConnected) {
            Await.until("it is connected again", () -> proxy.accepted() > before);
        }
        LockSupport.parkNanos(random(Duration.ofMillis(untilConnected ? 15 : 100)));
    }

    private LongWait parked() {
        FIXTURE.put(key, "foreign", LongWait.HOUR);
        return LongWait.parked(locks, key);
    }

    private static long random(Duration most) {
        return ThreadLocalRandom.current().nextLong(most.toNanos());
    }
}
