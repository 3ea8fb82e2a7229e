package io.redislock.reactor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.redislock.LockNotAcquiredException;
import io.redislock.LockOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Work of many values under a lock. */
class WithLockManyTest {

    private static final Duration EXPIRY = Duration.ofSeconds(60);
    private static final LockOptions OPTIONS = LockOptions.defaults().expiry(EXPIRY).retry(0, EXPIRY);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onTheSharedServer();

    private final ReactiveRedisLocks locks = FIXTURE.locks();
    private final String key = FIXTURE.freshKey();

    @Test
    void valuesAreEmittedAsTheyComeWhileTheLockIsHeld() {
        Sinks.Many<Integer> source = Sinks.many().unicast().onBackpressureBuffer();

        StepVerifier.create(locks.withLockMany(key, OPTIONS, lock -> source.asFlux()))
                .then(() -> source.tryEmitNext(1))
                .expectNext(1)
                .then(() -> assertThat(FIXTURE.exists(key)).isTrue())
                .then(() -> source.tryEmitNext(2))
                .expectNext(2)
                .then(() -> assertThat(FIXTURE.exists(key)).isTrue())
                .then(source::tryEmitComplete)
                .expectComplete().verify(Await.PATIENCE);
        assertThat(FIXTURE.exists(key)).isFalse();
    }

    @Test
    void enoughValuesCancelTheWorkAndRelease() {
        AtomicBoolean cancelled = new AtomicBoolean();

        List<Integer> taken = locks.withLockMany(key, OPTIONS, lock -> Flux.range(0, 1_000_000)
                        .concatWith(Flux.never())
                        .doOnCancel(() -> cancelled.set(true)))
                .take(3)
                .collectList().block(Await.PATIENCE);

        assertThat(taken).containsExactly(0, 1, 2);
        Await.until("the work is cancelled", cancelled::get);
        Await.until("the key is released", () -> !FIXTURE.exists(key));
    }

    @Test
    void workIsAskedForNoMoreThanIsRequested() {
        AtomicInteger asked = new AtomicInteger();

        StepVerifier.create(locks.withLockMany(key, OPTIONS, lock -> Flux.range(0, 100)
                        .doOnRequest(n -> asked.addAndGet((int) n))), 2)
                .expectNext(0, 1)
                .then(() -> assertThat(asked).hasValue(2))
                .thenRequest(98)
                .expectNextCount(98)
                .expectComplete().verify(Await.PATIENCE);
    }

    @Test
    void errorAfterValuesIsTheErrorAndReleases() {
        IllegalStateException failure = new IllegalStateException("the work failed");

        StepVerifier.create(locks.withLockMany(key, OPTIONS, lock -> Flux.just(1, 2).concatWith(Flux.error(failure))))
                .expectNext(1, 2)
                .expectErrorSatisfies(error -> assertThat(error).isSameAs(failure)).verify(Await.PATIENCE);
        assertThat(FIXTURE.exists(key)).isFalse();
    }

    @Test
    void emptyWorkIsEmptyAndReleases() {
        StepVerifier.create(locks.withLockMany(key, lock -> Flux.empty())).expectComplete().verify(Await.PATIENCE);

        assertThat(FIXTURE.exists(key)).isFalse();
    }

    @Test
    void workThatThrowsOrReturnsNullIsAnErrorAndReleases() {
        IllegalStateException failure = new IllegalStateException("the work threw");

        StepVerifier.create(locks.withLockMany(key, OPTIONS, lock -> {
            throw failure;
        })).expectErrorSatisfies(error -> assertThat(error).isSameAs(failure)).verify(Await.PATIENCE);
        StepVerifier.create(locks.withLockMany(key, OPTIONS, lock -> null))
                .expectError(NullPointerException.class).verify(Await.PATIENCE);
        assertThat(FIXTURE.exists(key)).isFalse();
    }

    @Test
    void busyIsNotAcquiredAndTheWorkIsNotCalled() {
        AtomicInteger calls = new AtomicInteger();
        FIXTURE.put(key, "another", EXPIRY);

        assertThatThrownBy(() -> locks.withLockMany(key, OPTIONS, lock -> Flux.range(calls.incrementAndGet(), 3))
                .blockLast(Await.PATIENCE))
                .isInstanceOfSatisfying(LockNotAcquiredException.class, busy -> {
                    assertThat(busy.attempts()).isEqualTo(1);
                    assertThat(busy.holderRemaining()).isPresent();
                });
        assertThat(calls).hasValue(0);
    }

    @Test
    void contextOfTheSubscriberIsVisibleInTheWork() {
        List<String> seen = locks.withLockMany(key, OPTIONS, lock -> Flux.deferContextual(context ->
                        Flux.just(context.<String>get("trace"))))
                .contextWrite(context -> context.put("trace", "42"))
                .collectList().block(Await.PATIENCE);

        assertThat(seen).containsExactly("42");
    }
}
