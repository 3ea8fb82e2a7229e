package io.redislock.reactor;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.api.reactive.RedisReactiveCommands;
import io.redislock.LockNotAcquiredException;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Work under a lock: released whatever becomes of it, and its outcome is the caller's. */
class WithLockTest {

    private static final Duration EXPIRY = Duration.ofSeconds(60);
    private static final Duration TIMEOUT = Duration.ofMillis(300);
    private static final LockOptions OPTIONS = LockOptions.defaults().expiry(EXPIRY).commandTimeout(TIMEOUT);
    private static final Duration IN_TIME = TIMEOUT.plusSeconds(2);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final ReactiveRedisLocks locks = FIXTURE.locks();
    private final RedisReactiveCommands<String, String> inWork = FIXTURE.reactiveRedis();
    private final String key = FIXTURE.freshKey();

    @Test
    void valueOfTheWorkIsEmittedAfterTheRelease() {
        StepVerifier.create(locks.withLock(key, OPTIONS, lock -> inWork.get(key).map(lock.value()::equals))
                        .zipWhen(held -> inWork.exists(key)))
                .assertNext(outcome -> {
                    assertThat(outcome.getT1()).as("the key holds the handle's value during the work").isTrue();
                    assertThat(outcome.getT2()).as("the key exists when the value is emitted").isZero();
                })
                .expectComplete().verify(Await.PATIENCE);
    }

    @Test
    void handleInTheWorkIsHeldAndAfterwardsIsNot() {
        RedisLock[] given = new RedisLock[1];

        Boolean held = locks.withLock(key, lock -> {
            given[0] = lock;
            return Mono.just(lock.isAcquired());
        }).block(Await.PATIENCE);

        assertThat(held).isTrue();
        assertThat(given[0].key()).isEqualTo(key);
        assertThat(given[0].isAcquired()).isFalse();
        assertThat(given[0].release().block()).as("it was released").isTrue();
    }

    @Test
    void emptyWorkIsEmptyAndReleases() {
        StepVerifier.create(locks.withLock(key, OPTIONS, lock -> Mono.empty())).expectComplete().verify(Await.PATIENCE);

        released();
    }

    @Test
    void errorOfTheWorkIsTheErrorAndReleases() {
        IllegalStateException failure = new IllegalStateException("the work failed");

        assertThatThrownBy(() -> locks.withLock(key, OPTIONS, lock -> Mono.error(failure)).block(Await.PATIENCE))
                .isSameAs(failure);
        released();
    }

    @Test
    void workThatThrowsIsAnErrorAndReleases() {
        IllegalStateException failure = new IllegalStateException("the work threw");

        StepVerifier.create(locks.withLock(key, OPTIONS, lock -> {
            throw failure;
        })).expectErrorSatisfies(error -> assertThat(error).isSameAs(failure)).verify(Await.PATIENCE);
        released();
    }

    @Test
    void workThatReturnsNullIsAnErrorAndReleases() {
        StepVerifier.create(locks.withLock(key, OPTIONS, lock -> null))
                .expectError(NullPointerException.class).verify(Await.PATIENCE);

        released();
    }

    @Test
    void cancellingCancelsTheWorkAndReleases() {
        AtomicBoolean running = new AtomicBoolean();
        AtomicBoolean cancelled = new AtomicBoolean();
        Disposable working = locks.withLock(key, OPTIONS, lock -> Mono.never()
                        .doOnSubscribe(subscription -> running.set(true))
                        .doOnCancel(() -> cancelled.set(true)))
                .subscribe();
        Await.until("the work runs", running::get);

        working.dispose();

        Await.until("the work is cancelled", cancelled::get);
        Await.until("the key is released", () -> !FIXTURE.exists(key));
    }

    @Test
    void timeoutAroundItCancelsTheWorkAndReleases() {
        assertThatThrownBy(() -> locks.withLock(key, OPTIONS, lock -> Mono.never()).timeout(TIMEOUT).block())
                .hasCauseInstanceOf(TimeoutException.class);

        Await.until("the key is released", () -> !FIXTURE.exists(key));
    }

    @Test
    void cancellingWhileWaitingEndsTheAttemptsAndTheWorkIsNeverCalled() {
        AtomicInteger calls = new AtomicInteger();
        FIXTURE.put(key, "another", EXPIRY);
        FIXTURE.resetStats();
        Disposable waiting = locks.withLock(key, OPTIONS.retry(1_000_000, Duration.ofMillis(1)),
                lock -> Mono.fromRunnable(calls::incrementAndGet)).subscribe();
        Await.until("it waits", () -> FIXTURE.scriptCalls() >= 3);

        waiting.dispose();
        FIXTURE.redis().del(key);

        LocksFixture.settle(locks, FIXTURE.freshKey());
        Await.until("an attempt in flight is released", () -> !FIXTURE.exists(key));
        assertThat(calls).hasValue(0);
    }

    @Test
    void busyToTheEndIsNotAcquiredWithTheFactsAndTheWorkIsNotCalled() {
        AtomicInteger calls = new AtomicInteger();
        FIXTURE.put(key, "another", EXPIRY);
        Duration delay = Duration.ofMillis(20);

        LockNotAcquiredException busy = catchThrowableOfType(LockNotAcquiredException.class,
                () -> locks.withLock(key, OPTIONS.retry(2, delay).jitter(0),
                        lock -> Mono.fromRunnable(calls::incrementAndGet)).block(Await.PATIENCE));

        assertThat(busy.key()).isEqualTo(key);
        assertThat(busy.attempts()).isEqualTo(3);
        assertThat(busy.waited()).isBetween(delay.multipliedBy(3), Await.PATIENCE);
        assertThat(busy.holderRemaining()).hasValueSatisfying(left -> assertThat(left)
                .isBetween(EXPIRY.minus(Await.PATIENCE), EXPIRY));
        assertThat(busy).hasMessageContaining(key).hasMessageContaining("3 attempts");
        assertThat(calls).hasValue(0);
        assertThat(FIXTURE.redis().get(key)).isEqualTo("another");
    }

    @Test
    void acquireOrFailIsTheLockOrTellsTheSame() {
        RedisLock lock = locks.acquireOrFail(key).block(Await.PATIENCE);

        LockNotAcquiredException busy = catchThrowableOfType(LockNotAcquiredException.class,
                () -> locks.acquireOrFail(key, OPTIONS.retry(1, Duration.ofMillis(20))).block(Await.PATIENCE));

        assertThat(lock.isAcquired()).isTrue();
        assertThat(busy.attempts()).isEqualTo(2);
        assertThat(busy.holderRemaining()).isPresent();
        assertThat(lock.release().block(Await.PATIENCE)).isTrue();
    }

    @Test
    void holderWithoutAnExpiryHasNoRemainingTime() {
        FIXTURE.redis().set(key, "for ever");

        assertThatThrownBy(() -> locks.withLock(key, OPTIONS.retry(0, TIMEOUT), lock -> Mono.empty()).block())
                .isInstanceOfSatisfying(LockNotAcquiredException.class,
                        busy -> assertThat(busy.holderRemaining()).isEmpty());
    }

    @Test
    void lockOnTheSameKeyInTheWorkIsBusyAndOnAnotherIsHeldToo() {
        String second = FIXTURE.freshKey();

        Long both = locks.withLock(key, OPTIONS, outer -> locks.withLock(second, OPTIONS, inner ->
                inWork.exists(key, second))).block(Await.PATIENCE);
        assertThat(both).isEqualTo(2);
        assertThatThrownBy(() -> locks.withLock(key, OPTIONS, outer ->
                locks.withLock(key, OPTIONS.retry(0, TIMEOUT), inner -> Mono.just("both"))).block(Await.PATIENCE))
                .isInstanceOf(LockNotAcquiredException.class);

        released();
        assertThat(FIXTURE.exists(second)).isFalse();
    }

    @Test
    void contextOfTheSubscriberIsVisibleInTheWork() {
        String trace = locks.withLock(key, OPTIONS, lock -> Mono.deferContextual(context ->
                        Mono.delay(Duration.ofMillis(1)).thenReturn(context.<String>get("trace"))))
                .contextWrite(context -> context.put("trace", "42"))
                .block(Await.PATIENCE);

        assertThat(trace).isEqualTo("42");
    }

    @Test
    void resultStandsWhenTheReleaseIsNotAnswered() {
        StepVerifier.create(locks.withLock(key, OPTIONS, lock -> pauseTheServer().thenReturn("worked")))
                .expectNext("worked").expectComplete().verify(IN_TIME);
        FIXTURE.server().resume();

        Await.until("the key is released", () -> !FIXTURE.exists(key));
    }

    @Test
    void errorOfTheWorkStaysPrimaryWhenTheReleaseIsNotAnswered() {
        IllegalStateException failure = new IllegalStateException("the work failed");

        StepVerifier.create(locks.withLock(key, OPTIONS, lock -> pauseTheServer().then(Mono.error(failure))))
                .expectErrorSatisfies(error -> assertThat(error).isSameAs(failure)).verify(IN_TIME);
        FIXTURE.server().resume();

        Await.until("the key is released", () -> !FIXTURE.exists(key));
    }

    @Test
    void workIsNotCalledWhenTheServerDoesNotAnswer() {
        AtomicInteger calls = new AtomicInteger();
        FIXTURE.server().pause();

        StepVerifier.create(locks.withLock(key, OPTIONS, lock -> Mono.fromRunnable(calls::incrementAndGet)))
                .expectError(LockUnavailableException.class).verify(IN_TIME);
        FIXTURE.server().resume();

        LocksFixture.settle(locks, FIXTURE.freshKey());
        Await.until("the key is released", () -> !FIXTURE.exists(key));
        assertThat(calls).hasValue(0);
    }

    private static Mono<Void> pauseTheServer() {
        return Mono.<Void>fromRunnable(FIXTURE.server()::pause)
                .subscribeOn(Schedulers.boundedElastic());
    }

    private void released() {
        assertThat(FIXTURE.exists(key)).isFalse();
    }
}
