package io.redislock.reactor;

import java.time.Duration;

import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import io.redislock.testsupport.FaultProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Making a lease last longer by its handle. */
class RedisLockExtendTest {

    private static final Duration EXPIRY = Duration.ofSeconds(60);
    private static final Duration LONGER = EXPIRY.multipliedBy(3);
    private static final Duration TIMEOUT = Duration.ofMillis(300);
    private static final LockOptions OPTIONS = LockOptions.defaults().expiry(EXPIRY).commandTimeout(TIMEOUT);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final ReactiveRedisLocks locks = FIXTURE.locks();
    private final RedisCommands<String, String> redis = FIXTURE.redis();
    private final String key = FIXTURE.freshKey();
    private final RedisLock lock = locks.acquire(key, OPTIONS).block(Await.PATIENCE);

    @Test
    void extensionMakesTheLeaseLastThatLongHereAndOnTheServer() {
        assertThat(lock.extend(LONGER).block()).isTrue();

        assertThat(lock.remaining()).isBetween(LONGER.minus(Await.PATIENCE), LONGER);
        assertThat(redis.pttl(key)).isBetween(LONGER.minus(Await.PATIENCE).toMillis(), LONGER.toMillis());
        assertThat(lock.isAcquired()).isTrue();
    }

    @Test
    void extensionNeverShortens() {
        assertThat(lock.extend(Duration.ofMillis(1)).block()).isTrue();

        assertThat(lock.isAcquired()).isTrue();
        assertThat(lock.remaining()).isGreaterThan(EXPIRY.minus(Await.PATIENCE));
        assertThat(redis.pttl(key)).isGreaterThan(EXPIRY.minus(Await.PATIENCE).toMillis());
    }

    @Test
    void extensionNeverShortensWhatTheServerHasAlsoWhenThatIsMoreThanWeKnow() {
        redis.pexpire(key, LONGER.toMillis());

        assertThat(lock.extend(EXPIRY.plusSeconds(1)).block()).isTrue();

        assertThat(redis.pttl(key)).isGreaterThan(LONGER.minus(Await.PATIENCE).toMillis());
    }

    @Test
    void extensionGivesAKeyThatLostItsExpiryOneAgain() {
        redis.persist(key);

        assertThat(lock.extend(EXPIRY).block()).isTrue();

        assertThat(redis.pttl(key)).isBetween(1L, EXPIRY.toMillis());
    }

    @Test
    void extensionIsFalseWhenTheKeyIsGoneAndDoesNotBringItBack() {
        redis.del(key);

        assertThat(lock.extend(LONGER).block()).isFalse();

        assertThat(FIXTURE.exists(key)).isFalse();
        isOver();
    }

    @Test
    void extensionIsFalseWhenAnotherHasTheKeyAndLeavesItAlone() {
        FIXTURE.put(key, "another", EXPIRY);

        assertThat(lock.extend(LONGER).block()).isFalse();

        assertThat(redis.get(key)).isEqualTo("another");
        assertThat(redis.pttl(key)).isLessThanOrEqualTo(EXPIRY.toMillis());
        isOver();
    }

    @Test
    void extensionAfterTheReleaseIsFalseAndExtendsNothing() {
        lock.release().block();
        FIXTURE.put(key, lock.value(), EXPIRY);

        assertThat(lock.extend(LONGER).block()).isFalse();

        LocksFixture.settle(locks, FIXTURE.freshKey());
        assertThat(redis.pttl(key)).isLessThanOrEqualTo(EXPIRY.toMillis());
    }

    @Test
    void extensionAfterTheDeadlineIsFalseAndExtendsNothingEvenIfTheServerKeptTheKey() {
        RedisLock brief = FIXTURE.acquireBriefly(key + ":brief", Duration.ofMillis(100));
        Await.until("the deadline", () -> !brief.isAcquired());
        FIXTURE.put(brief.key(), brief.value(), EXPIRY);

        assertThat(brief.extend(LONGER).block()).isFalse();

        LocksFixture.settle(locks, FIXTURE.freshKey());
        assertThat(redis.pttl(brief.key())).isBetween(1L, EXPIRY.toMillis());
        assertThat(brief.isAcquired()).isFalse();
    }

    @Test
    void extensionThatIsAnsweredAfterTheDeadlineIsFalseAndTheKeyIsReleased() {
        try (FaultProxy proxy = FaultProxy.to(FIXTURE.server())) {
            ReactiveRedisLocks distant = FIXTURE.locks(builder -> builder.uri(RedisURI.create(proxy.uri())));
            Duration brief = Duration.ofSeconds(1);
            RedisLock late = distant.acquire(key + ":late", LockOptions.defaults().expiry(brief)).block();
            Await.until("half of it is over", () -> late.remaining().compareTo(brief.dividedBy(2)) < 0);
            proxy.delayReplies(brief.multipliedBy(3).dividedBy(4)); // past the deadline, within the command timeout

            assertThat(late.extend(EXPIRY).block(Await.PATIENCE)).isFalse();

            assertThat(late.isAcquired()).isFalse();
            Await.until("the key is released", () -> !FIXTURE.exists(late.key()));
        }
    }

    @Test
    void nothingIsSentBeforeASubscriptionAndEachOneExtends() {
        Mono<Boolean> extending = lock.extend(LONGER);
        LocksFixture.settle(locks, FIXTURE.freshKey());
        assertThat(redis.pttl(key)).isLessThanOrEqualTo(EXPIRY.toMillis());

        assertThat(extending.block()).isTrue();
        assertThat(redis.pttl(key)).isGreaterThan(EXPIRY.toMillis());
        redis.pexpire(key, EXPIRY.toMillis());
        assertThat(extending.block()).isTrue();
        assertThat(redis.pttl(key)).isGreaterThan(EXPIRY.toMillis());
    }

    @Test
    void extensionThatIsNotAnsweredIsUnavailableAndTheLeaseLastsAsLongAsBefore() {
        assertThat(lock.extend(EXPIRY).block()).isTrue(); // loads the script
        Duration before = lock.remaining();
        FIXTURE.server().pause();

        assertThatThrownBy(() -> lock.extend(LONGER).block(Await.PATIENCE))
                .isInstanceOfSatisfying(LockUnavailableException.class, unavailable -> {
                    assertThat(unavailable.outcomeUnknown()).isTrue();
                    assertThat(unavailable.key()).isEqualTo(key);
                })
                .hasMessageContaining(key);
        assertThat(lock.isAcquired()).isTrue();
        assertThat(lock.remaining()).isBetween(before.minus(Await.PATIENCE), before);
        FIXTURE.server().resume();

        Await.until("it can be extended again", () -> lock.extend(LONGER).onErrorReturn(false).block());
        assertThat(lock.remaining()).isGreaterThan(EXPIRY);
    }

    private void isOver() {
        assertThat(lock.isAcquired()).isFalse();
        assertThat(lock.remaining()).isZero();
        assertThat(lock.release().block()).isFalse();
    }
}
