package io.redislock.reactor;

import java.time.Duration;

import io.lettuce.core.RedisClient;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import io.redislock.testsupport.FaultProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Connections that break at the worst moment: the command has run and its reply is lost, or a copy arrives late. */
class ReconnectTest {

    private static final LockOptions MINUTE = LockOptions.defaults().expiry(Duration.ofSeconds(60))
            .retry(0, Duration.ofMillis(1));

    @RegisterExtension
    static final LocksFixture redis = LocksFixture.onAServerOfItsOwn();

    private final String key = redis.freshKey();
    private FaultProxy proxy;
    private RedisClient client;
    private ReactiveRedisLocks locks;

    @BeforeEach
    void connectThroughTheProxy() {
        proxy = FaultProxy.to(redis.server());
        client = RedisClient.create(proxy.uri());
        locks = ReactiveRedisLocks.create(client);
        locks.take(key, "warm-up", Duration.ofSeconds(60)).block(Await.PATIENCE);
        locks.release(key, "warm-up").block(Await.PATIENCE);
    }

    @AfterEach
    void disconnect() {
        locks.close().block(Await.PATIENCE);
        client.shutdown();
        proxy.close();
    }

    /** lettuce#2309: the command is sent again after the reconnect, and finds its own first copy's key. */
    @Test
    void ownLockIsNotBusyAfterALostReply() {
        proxy.cutOnNextReply(1);

        RedisLock lock = locks.acquire(key, MINUTE).block(Await.PATIENCE);

        assertThat(lock).isNotNull();
        assertThat(lock.isAcquired()).isTrue();
        assertThat(redis.redis().get(key)).isEqualTo(lock.value());
        assertThat(lock.release().block(Await.PATIENCE)).isTrue();
        assertThat(redis.redis().get(key)).isNull();
    }

    @Test
    void takeSentTwiceThatFindsAnEqualValueHasAnUnknownOutcome() {
        proxy.cutOnNextReply(1);

        LockUnavailableException unknown = catchThrowableOfType(LockUnavailableException.class,
                () -> locks.take(key, "host-1", Duration.ofSeconds(60)).block(Await.PATIENCE));

        assertThat(unknown.outcomeUnknown()).isTrue();
        assertThat(unknown.key()).isEqualTo(key);
        assertThat(redis.redis().get(key)).isEqualTo("host-1");
    }

    @Test
    void takeSentTwiceThatFindsAnotherValueIsBusy() {
        redis.redis().set(key, "host-2");
        proxy.cutOnNextReply(1);

        assertThat(locks.take(key, "host-1", Duration.ofSeconds(60)).block(Await.PATIENCE)).isFalse();
    }

    @Test
    void releaseByValueSentTwiceThatFindsNoKeyHasAnUnknownOutcome() {
        locks.take(key, "host-1", Duration.ofSeconds(60)).block(Await.PATIENCE);
        proxy.cutOnNextReply(1);

        LockUnavailableException unknown = catchThrowableOfType(LockUnavailableException.class,
                () -> locks.release(key, "host-1").block(Await.PATIENCE));

        assertThat(unknown.outcomeUnknown()).isTrue();
        assertThat(redis.redis().get(key)).isNull();
    }

    @Test
    void releaseOfAHandleWhoseReplyWasLostIsUnconfirmedAndNoError() {
        RedisLock lock = locks.acquire(key, MINUTE).block(Await.PATIENCE);
        proxy.cutOnNextReply(1);

        assertThat(lock.release().block(Await.PATIENCE)).isFalse();
        assertThat(redis.redis().get(key)).isNull();
    }

    @Test
    void extensionWhoseReplyWasLostIsRepeated() {
        RedisLock lock = locks.acquire(key, MINUTE).block(Await.PATIENCE);
        proxy.cutOnNextReply(1);

        assertThat(lock.extend(Duration.ofMinutes(5)).block(Await.PATIENCE)).isTrue();
        assertThat(redis.redis().pttl(key)).isGreaterThan(Duration.ofMinutes(4).toMillis());
        assertThat(lock.remaining()).isGreaterThan(Duration.ofMinutes(4));
        lock.release().block(Await.PATIENCE);
    }

    /** Seen on a real server: acquire, release, then the first socket's copy of the acquire. */
    @Test
    void lateCopyOfAnAcquisitionIsReleasedToo() {
        long before = scriptCalls();
        proxy.orphanRequests(Duration.ofMillis(200));
        RedisLock lock = locks.acquire(key, MINUTE).block(Await.PATIENCE);
        assertThat(lock.release().block(Await.PATIENCE)).isTrue();

        Await.until("both copies, the release and its repetition have run", () -> scriptCalls() >= before + 4);
        assertThat(redis.redis().exists(key)).isZero();
    }

    /** It was busy at the second try, and its first copy comes when the key is free. */
    @Test
    void lateCopyOfABusyAcquisitionIsReleasedToo() {
        redis.redis().set(key, "foreign");
        long before = scriptCalls();
        proxy.orphanRequests(Duration.ofMillis(200));
        assertThat(locks.acquire(key, MINUTE).blockOptional(Await.PATIENCE)).isEmpty();
        redis.redis().del(key);

        Await.until("both copies, the release and its repetition have run", () -> scriptCalls() >= before + 4);
        assertThat(redis.redis().exists(key)).isZero();
    }

    /** A lease of a minute was extended to five, then a copy of its acquisition arrives: it must not shorten. */
    @Test
    void lateCopyOfAnAcquisitionDoesNotShortenAnExtendedLease() {
        proxy.orphanRequests(Duration.ofMillis(200));
        RedisLock lock = locks.acquire(key, MINUTE).block(Await.PATIENCE);
        long before = scriptCalls();
        assertThat(lock.extend(Duration.ofMinutes(5)).block(Await.PATIENCE)).isTrue();

        Await.until("the late copy has run", () -> scriptCalls() >= before + 2);
        assertThat(redis.redis().pttl(key)).isGreaterThan(Duration.ofMinutes(4).toMillis());
        lock.release().block(Await.PATIENCE);
    }

    @Test
    void acquisitionThatTimedOutIsReleasedWhenItsReplyComes() {
        proxy.delayReplies(Duration.ofMillis(500));

        LockUnavailableException unknown = catchThrowableOfType(LockUnavailableException.class,
                () -> locks.acquire(key, MINUTE.commandTimeout(Duration.ofMillis(100))).block(Await.PATIENCE));

        assertThat(unknown.outcomeUnknown()).isTrue();
        assertThat(redis.redis().exists(key)).isEqualTo(1);
        proxy.reset();
        Await.until("it is released", () -> redis.redis().exists(key) == 0);
    }

    @Test
    void takeThatTimedOutIsGivenBackWhenItsReplyComes() {
        ReactiveRedisLocks impatient = ReactiveRedisLocks.builder(client)
                .defaults(MINUTE.commandTimeout(Duration.ofMillis(100))).build();
        proxy.delayReplies(Duration.ofMillis(500));

        LockUnavailableException unknown = catchThrowableOfType(LockUnavailableException.class,
                () -> impatient.take(key, "host-1", Duration.ofSeconds(60)).block(Await.PATIENCE));

        assertThat(unknown.outcomeUnknown()).isTrue();
        proxy.reset();
        Await.until("it is given back", () -> redis.redis().exists(key) == 0);
        impatient.close().block(Await.PATIENCE);
    }

    @Test
    void acquisitionThatCouldNotBeSentInTimeIsNeverSent() {
        proxy.refuse(true);
        proxy.cut();
        long before = scriptCalls();

        LockUnavailableException unsent = catchThrowableOfType(LockUnavailableException.class,
                () -> locks.acquire(key, MINUTE.commandTimeout(Duration.ofMillis(100))).block(Await.PATIENCE));
        assertThat(unsent.outcomeUnknown()).isFalse();

        proxy.refuse(false);
        assertThat(locks.query(key).retry().blockOptional(Await.PATIENCE)).isEmpty();
        assertThat(scriptCalls()).isEqualTo(before);
    }

    @Test
    void tokensAreDrawnAnewAfterAReconnect() {
        String before = randomPartOfANewToken();
        proxy.cut();

        Await.until("the random part differs", () -> !randomPartOfANewToken().equals(before));
    }

    private String randomPartOfANewToken() {
        RedisLock lock = locks.acquire(key, MINUTE).block(Await.PATIENCE);
        lock.release().block(Await.PATIENCE);
        return lock.value().substring(0, 20);
    }

    private static long scriptCalls() {
        return redis.scriptCalls();
    }
}
