package io.redislock.reactor;

import java.time.Duration;

import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.redislock.LockOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a handle says about itself. Of two readings the server's comes first here: a lock that the server no longer has
 * never comes back, so a handle that still claims it afterwards is wrong, whatever the time between the two.
 */
class RedisLockTest {

    private static final Duration EXPIRY = Duration.ofSeconds(60);
    private static final LockOptions LONG = LockOptions.defaults().expiry(EXPIRY);
    private static final Duration BRIEF = Duration.ofMillis(100);
    private static final int ROUNDS = 10;

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onTheSharedServer();

    private final ReactiveRedisLocks locks = FIXTURE.locks();
    private final RedisCommands<String, String> redis = FIXTURE.redis();
    private final String key = FIXTURE.freshKey();

    @Test
    void acquiredLockSaysItsKeyItsValueAndWhatIsLeft() {
        RedisLock lock = locks.acquire(key, LONG).block();

        assertThat(lock.key()).isEqualTo(key);
        assertThat(lock.value()).isEqualTo(redis.get(key)).isNotEmpty();
        assertThat(lock.isAcquired()).isTrue();
        assertThat(lock.remaining()).isBetween(EXPIRY.minus(Await.PATIENCE), EXPIRY);
        assertThat(lock).asString().contains(key, lock.value());
    }

    @Test
    void everyAcquisitionHasAValueOfItsOwn() {
        RedisLock first = locks.acquire(key, LONG).block();
        first.release().block();
        RedisLock second = locks.acquire(key, LONG).block();

        assertThat(second.value()).isNotEqualTo(first.value());
        assertThat(first.release().block()).as("replayed").isTrue();
        assertThat(redis.get(key)).isEqualTo(second.value());
    }

    @Test
    void remainingShrinksAndStaysBelowWhatTheServerWillKeepTheKeyFor() {
        RedisLock lock = locks.acquire(key, LONG).block();

        Duration earlier = lock.remaining();
        for (int sample = 0; sample < 200; sample++) {
            Duration onTheServer = Duration.ofMillis(redis.pttl(key));
            Duration remaining = lock.remaining();
            assertThat(remaining).isLessThan(onTheServer);
            assertThat(remaining).isLessThanOrEqualTo(earlier);
            earlier = remaining;
        }
    }

    @Test
    void lockWhoseKeyIsGoneHadNotBeenHeldAnyMore() {
        long samplesWhileHeld = 0;
        for (int round = 0; round < ROUNDS; round++) {
            RedisLock lock = FIXTURE.acquireBriefly(key, BRIEF);
            while (lock.value().equals(redis.get(key))) {
                samplesWhileHeld += lock.isAcquired() ? 1 : 0;
            }
            boolean acquired = lock.isAcquired();
            Duration remaining = lock.remaining();

            assertThat(acquired).isFalse();
            assertThat(remaining).isZero();
        }
        assertThat(samplesWhileHeld).as("or else this shows nothing").isPositive();
    }

    @Test
    void lockThatAnotherHolderHasHadNotBeenHeldAnyMore() {
        SetArgs ifAbsent = SetArgs.Builder.nx().px(EXPIRY.toMillis());
        long samplesWhileHeld = 0;
        for (int round = 0; round < ROUNDS; round++) {
            RedisLock lock = FIXTURE.acquireBriefly(key, BRIEF);
            while (redis.set(key, "another", ifAbsent) == null) {
                samplesWhileHeld += lock.isAcquired() ? 1 : 0;
            }
            boolean acquired = lock.isAcquired();

            assertThat(acquired).isFalse();
            redis.del(key);
        }
        assertThat(samplesWhileHeld).as("or else this shows nothing").isPositive();
    }

    @Test
    void lockThatWasExtendedForTheLastTimeIsNotBelievedLongerThanTheServerKeepsIt() {
        long extensions = 0;
        for (int round = 0; round < ROUNDS; round++) {
            RedisLock lock = FIXTURE.acquireBriefly(key, BRIEF);
            int left = 20;
            while (left-- > 0 && lock.extend(BRIEF).onErrorReturn(false).block()) {
                extensions++;
            }
            while (lock.value().equals(redis.get(key))) {
                Thread.onSpinWait();
            }
            boolean acquired = lock.isAcquired();

            assertThat(acquired).isFalse();
        }
        assertThat(extensions).as("or else this shows nothing").isPositive();
    }

    @Test
    void lockIsOverAtItsOwnDeadlineWithoutAskingTheServer() {
        RedisLock lock = FIXTURE.acquireBriefly(key, BRIEF);

        Await.until("the deadline", () -> !lock.isAcquired());

        assertThat(lock.remaining()).isZero();
        assertThat(lock.extend(EXPIRY).block()).isFalse();
        assertThat(lock.isAcquired()).isFalse();
    }

    @Test
    void lockIsNotHeldFromTheSubscriptionToItsReleaseOn() {
        RedisLock lock = locks.acquire(key, LONG).block();

        lock.release().subscribe();

        assertThat(lock.isAcquired()).isFalse();
        assertThat(lock.remaining()).isZero();
    }

    @Test
    void anyThreadMayUseTheHandle() throws InterruptedException {
        RedisLock lock = locks.acquire(key, LONG).block();

        boolean[] done = new boolean[2];
        Thread other = new Thread(() -> {
            done[0] = lock.extend(EXPIRY).block();
            done[1] = lock.release().block();
        });
        other.start();
        other.join(Await.PATIENCE.toMillis());

        assertThat(done).containsExactly(true, true);
    }
}
