package io.redislock.reactor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import io.micrometer.context.ContextRegistry;
import io.redislock.reactor.TracedLocks.Scope;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

import static io.redislock.reactor.TracedLocks.MINUTE;
import static io.redislock.reactor.TracedLocks.TRACE;
import static io.redislock.reactor.TracedLocks.traced;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * With Reactor's automatic propagation, as tracing switches it on, what is done for a subscriber also finds the trace
 * in the thread, whichever thread that is.
 */
class AutomaticContextPropagationTest {

    /** Makes replies arrive on another thread. */
    private static final Duration LATENCY = Duration.ofMillis(20);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onTheSharedServer();

    private final TracedLocks traced = new TracedLocks();
    private final SeenTrace seen = traced.seen;

    @BeforeEach
    void propagate() {
        ContextRegistry.getInstance().registerThreadLocalAccessor(SeenTrace.KEY, SeenTrace.IN_THREAD);
        Hooks.enableAutomaticContextPropagation();
    }

    @AfterEach
    void asItWas() {
        Hooks.disableAutomaticContextPropagation();
        ContextRegistry.getInstance().removeThreadLocalAccessor(SeenTrace.KEY);
        SeenTrace.IN_THREAD.remove();
    }

    @ParameterizedTest
    @EnumSource
    void traceIsInTheThreadOfTheWorkTheCleanUpAndTheReleaseOnEachExit(WorkExit exit) {
        traced.store.latency(LATENCY);
        for (Scope scope : Scope.values()) {
            seen.clear();
            Mono<?> call = traced.scoped(scope, lock -> seen.inThreadAt("work").then(exit.end()));

            exit.run(traced(call), () -> !seen.of("work in thread").isEmpty());

            traced.awaitReleased();
            assertThat(seen.of("acquire in thread")).as("%s", scope).containsExactly(TRACE);
            assertThat(seen.of("work in thread")).as("%s", scope).containsExactly(TRACE);
            assertThat(seen.of("release in thread")).as("%s", scope).isNotEmpty().containsOnly(TRACE);
            if (scope == Scope.USING_WHEN) {
                assertThat(seen.of("clean-up in thread")).containsExactly(TRACE);
            }
        }
    }

    @Test
    void traceIsInTheThreadOfTheReleaseAfterACancelledAcquisition() {
        traced.store.latency(LATENCY);

        traced(traced.locks.acquire("key")).subscribe().dispose();

        traced.awaitReleased();
        assertThat(seen.of("release in thread")).containsExactly(TRACE);
    }

    @Test
    void eventLoopOfLettuceHasTheTraceOfEachCallAndNoneAfterIt() {
        ReactiveRedisLocks locks = FIXTURE.locks();
        String key = FIXTURE.freshKey();
        List<String> threads = new CopyOnWriteArrayList<>();
        Function<RedisLock, Mono<String>> work = lock -> {
            threads.add(Thread.currentThread().getName());
            return Mono.just("called with " + SeenTrace.inThread());
        };

        assertThat(traced(locks.withLock(key, work)).block(Await.PATIENCE)).isEqualTo("called with " + TRACE);
        assertThat(traced(locks.withLockMany(key, work)).blockLast(Await.PATIENCE)).isEqualTo("called with " + TRACE);
        assertThat(traced(locks.withLock(key, work).map(worked -> SeenTrace.inThread())).block(Await.PATIENCE))
                .as("after the scope").isEqualTo(TRACE);
        assertThat(traced(locks.acquire(key).flatMap(lock -> lock.extend(MINUTE)
                .then(Mono.fromSupplier(SeenTrace::inThread))
                .flatMap(extended -> lock.release().map(released -> extended + ", " + SeenTrace.inThread()))))
                .block(Await.PATIENCE)).as("after the extension, after the release").isEqualTo(TRACE + ", " + TRACE);
        assertThat(locks.withLock(key, work).block(Await.PATIENCE)).isEqualTo("called with none");
        assertThat(threads).hasSize(4).allMatch(name -> name.startsWith("lettuce-"));
    }
}
