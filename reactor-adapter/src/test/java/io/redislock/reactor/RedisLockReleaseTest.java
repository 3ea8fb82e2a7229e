package io.redislock.reactor;

import java.time.Duration;

import io.lettuce.core.api.sync.RedisCommands;
import io.redislock.LockOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.Disposable;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** Giving back a lock by its handle. */
class RedisLockReleaseTest {

    private static final Duration EXPIRY = Duration.ofSeconds(60);
    private static final Duration TIMEOUT = Duration.ofMillis(500);
    private static final Duration TOLERANCE = Duration.ofSeconds(2);
    private static final LockOptions OPTIONS = LockOptions.defaults().expiry(EXPIRY).commandTimeout(TIMEOUT);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn("appendonly yes", "appendfsync always");

    private final ReactiveRedisLocks locks = FIXTURE.locks();
    private final RedisCommands<String, String> redis = FIXTURE.redis();
    private final String key = FIXTURE.freshKey();
    private final RedisLock lock = locks.acquire(key, OPTIONS).block(Await.PATIENCE);

    @Test
    void releaseDeletesTheKeyAndIsTrue() {
        StepVerifier.create(lock.release()).expectNext(true).expectComplete().verify(Await.PATIENCE);

        assertThat(FIXTURE.exists(key)).isFalse();
    }

    @Test
    void releaseIsFalseWhenTheKeyIsGone() {
        redis.del(key);

        StepVerifier.create(lock.release()).expectNext(false).expectComplete().verify(Await.PATIENCE);
    }

    @Test
    void releaseIsFalseWhenAnotherHasTheKeyAndLeavesItAlone() {
        FIXTURE.put(key, "another", EXPIRY);

        StepVerifier.create(lock.release()).expectNext(false).expectComplete().verify(Await.PATIENCE);
        assertThat(redis.get(key)).isEqualTo("another");
    }

    @Test
    void releaseAfterTheDeadlineStillDeletesAKeyThatTheServerKept() {
        RedisLock brief = FIXTURE.acquireBriefly(key + ":brief", Duration.ofMillis(100));
        redis.set(brief.key(), brief.value());
        Await.until("the deadline", () -> !brief.isAcquired());

        assertThat(brief.release().block()).isTrue();
        assertThat(FIXTURE.exists(brief.key())).isFalse();
    }

    @Test
    void nothingIsSentBeforeASubscription() {
        lock.release();

        LocksFixture.settle(locks, FIXTURE.freshKey());
        assertThat(redis.get(key)).isEqualTo(lock.value());
        assertThat(lock.isAcquired()).isTrue();
    }

    @Test
    void laterReleasesReplayTheFirstOutcomeAndReleaseNothing() {
        assertThat(lock.release().block()).isTrue();
        FIXTURE.put(key, lock.value(), EXPIRY);

        assertThat(lock.release().block()).isTrue();
        assertThat(lock.release().block()).isTrue();
        LocksFixture.settle(locks, FIXTURE.freshKey());
        assertThat(FIXTURE.exists(key)).isTrue();
    }

    @Test
    void laterReleasesReplayAlsoTheOutcomeFalse() {
        redis.del(key);
        assertThat(lock.release().block()).isFalse();
        FIXTURE.put(key, lock.value(), EXPIRY);

        assertThat(lock.release().block()).isFalse();
        LocksFixture.settle(locks, FIXTURE.freshKey());
        assertThat(FIXTURE.exists(key)).isTrue();
    }

    @Test
    void cancellingDoesNotStopIt() {
        lock.release().subscribe().dispose();

        assertThat(lock.isAcquired()).isFalse();
        Await.until("the key is released", () -> !FIXTURE.exists(key));
        assertThat(lock.release().block(Await.PATIENCE)).isTrue();
    }

    @Test
    void cancellingWhileTheServerIsPausedDoesNotStopItEither() {
        FIXTURE.server().pause();
        Disposable releasing = lock.release().subscribe();
        releasing.dispose();

        FIXTURE.server().resume();

        Await.until("the key is released", () -> !FIXTURE.exists(key));
    }

    @Test
    void releaseThatIsNotAnsweredInTimeIsFalseWithoutErrorAndGoesOnInTheBackground() {
        FIXTURE.server().pause();

        Duration took = StepVerifier.create(lock.release()).expectNext(false).expectComplete().verify(Await.PATIENCE);
        assertThat(took).isBetween(TIMEOUT.dividedBy(2), TIMEOUT.plus(TOLERANCE));
        assertThat(lock.isAcquired()).isFalse();
        FIXTURE.server().resume();

        Await.until("the key is released", () -> !FIXTURE.exists(key));
        assertThat(lock.release().block()).as("replays the first outcome").isFalse();
    }

    @Test
    void releaseOnAServerThatIsDownIsFalseInTimeWithoutErrorAndGoesOnUntilItIsBack() {
        String other = FIXTURE.freshKey();
        FIXTURE.put(other, "another", EXPIRY);
        FIXTURE.server().kill();

        Duration took = StepVerifier.create(lock.release()).expectNext(false).expectComplete().verify(Await.PATIENCE);
        assertThat(took).isLessThan(TIMEOUT.plus(TOLERANCE));
        FIXTURE.restartServer();

        Await.until("the key is released", () -> !FIXTURE.exists(key));
        assertThat(redis.get(other)).as("the server has kept its data").isEqualTo("another");
    }
}
