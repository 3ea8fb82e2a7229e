package io.redislock.reactor;

import java.time.Duration;

import io.redislock.LockLostException;
import io.redislock.LockUnavailableException;
import io.redislock.reactor.TracedLocks.Scope;
import io.redislock.reactor.store.InMemoryLockStore;
import io.redislock.reactor.store.InMemoryLockStore.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

import static io.redislock.reactor.TracedLocks.MINUTE;
import static io.redislock.reactor.TracedLocks.OPTIONS;
import static io.redislock.reactor.TracedLocks.TRACE;
import static io.redislock.reactor.TracedLocks.traced;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The subscriber's Reactor context, a trace for instance, reaches whatever is done for it, also when the subscriber is
 * gone: the work, its clean-up, and each command.
 */
class ContextPropagationTest {

    private static final Duration LATENCY = Duration.ofMillis(20);

    private final TracedLocks traced = new TracedLocks();
    private final ReactiveRedisLocks locks = traced.locks;
    private final InMemoryLockStore store = traced.store;
    private final SeenTrace seen = traced.seen;

    @ParameterizedTest
    @EnumSource
    void traceReachesTheWorkTheCleanUpAndTheReleaseOnEachExit(WorkExit exit) {
        for (Scope scope : Scope.values()) {
            seen.clear();
            Mono<?> call = traced.scoped(scope, lock -> seen.at("work").then(exit.end()));

            exit.run(traced(call), () -> seen.of("work").size() == 1);

            traced.awaitReleased();
            assertThat(seen.of("acquire")).as("%s", scope).containsExactly(TRACE);
            assertThat(seen.of("work")).as("%s", scope).containsExactly(TRACE);
            assertThat(seen.of("release")).as("%s", scope).containsExactly(TRACE);
            if (scope == Scope.USING_WHEN) {
                assertThat(seen.of("clean-up")).containsExactly(TRACE);
            }
        }
    }

    @Test
    void traceReachesTheReleaseAfterACancelledAcquisition() {
        store.latency(LATENCY);

        traced(locks.acquire("key")).subscribe().dispose();

        traced.awaitReleased();
        assertThat(seen.of("release")).containsExactly(TRACE);
    }

    @Test
    void traceReachesTheReleasesAfterAReplyThatWasLost() {
        store.faults(Fault.REPLY_LOST, Fault.REFUSED);

        StepVerifier.create(traced(locks.acquire("key", OPTIONS.commandTimeout(LATENCY))))
                .expectError(LockUnavailableException.class).verify(Await.PATIENCE);

        // Refused, repeated, and sent once more a little later.
        Await.until("all were sent", () -> seen.of("release").size() >= 3);
        assertThat(seen.of("release")).containsOnly(TRACE);
    }

    @Test
    void traceReachesAReleaseThatGoesOnInTheBackground() {
        RedisLock lock = locks.acquire("key", OPTIONS.commandTimeout(LATENCY)).block(Await.PATIENCE);
        store.faults(Fault.REPLY_LOST, Fault.REFUSED);

        assertThat(traced(lock.release()).block(Await.PATIENCE)).isFalse();

        Await.until("it was repeated", () -> seen.of("release").size() == 3);
        assertThat(seen.of("release")).containsOnly(TRACE);
    }

    @Test
    void traceReachesTheReleaseAfterACancelledTake() {
        store.latency(LATENCY);

        traced(locks.take("key", "ours", MINUTE)).subscribe().dispose();

        traced.awaitReleased();
        assertThat(seen.of("release")).containsExactly(TRACE);
    }

    @Test
    void traceReachesEachAttempt() {
        store.put("key", "another", MINUTE);

        StepVerifier.create(traced(locks.acquire("key", OPTIONS.retry(2, Duration.ofMillis(1)))))
                .expectComplete().verify(Await.PATIENCE);

        assertThat(seen.of("acquire")).containsExactly(TRACE, TRACE, TRACE);
    }

    @Test
    void renewalHasTheTraceOfTheAcquisitionAndAnExtensionItsOwn() {
        RedisLock lock = traced(locks.acquire("key", OPTIONS.expiry(Duration.ofSeconds(2)).autoRenew(MINUTE)))
                .block(Await.PATIENCE);
        Mono<Boolean> extension = lock.extend(Duration.ofSeconds(1)).contextWrite(Context.of(SeenTrace.KEY, "another"));
        assertThat(extension.block(Await.PATIENCE)).isTrue();
        assertThat(seen.of("prolong")).containsExactly("another");

        Await.until("it was renewed twice", () -> seen.of("prolong").size() >= 3);

        assertThat(seen.of("prolong")).startsWith("another", TRACE, TRACE);
        lock.release().block(Await.PATIENCE);
        assertThat(seen.of("release")).containsExactly("none");
    }

    @Test
    void traceReachesTheReleaseOfALockThatWasLost() {
        StepVerifier.create(traced(locks.withLock("key", OPTIONS.expiry(Duration.ofMillis(50)),
                        lock -> seen.at("work").then(Mono.never()))))
                .expectError(LockLostException.class).verify(Await.PATIENCE);

        traced.awaitReleased();
        assertThat(seen.of("release")).containsExactly(TRACE);
    }

    @Test
    void traceReachesTheReleaseAtTheCloseWhereWorkIsCancelled() {
        Disposable working = traced(locks.withLock("key", lock -> seen.at("work").then(Mono.never())))
                .subscribe(value -> { }, lost -> { });
        Await.until("it works", () -> !seen.of("work").isEmpty());

        locks.close().block(Await.PATIENCE);

        Await.until("the work has ended", working::isDisposed);
        assertThat(seen.of("release")).containsExactly(TRACE);
    }
}
