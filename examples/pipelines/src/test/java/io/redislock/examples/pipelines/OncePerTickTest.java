package io.redislock.examples.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongFunction;

import io.redislock.LockLostException;
import io.redislock.examples.pipelines.OncePerTick.Outcome;
import io.redislock.reactor.ReactiveRedisLocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class OncePerTickTest {

    @RegisterExtension
    static final OnRedis on = new OnRedis();

    /** The ticks for which the job was begun, in any process. */
    private final List<Long> begun = new CopyOnWriteArrayList<>();

    @Test
    void whoeverFindsTheJobRunningSkipsTheTick() {
        Sinks.Empty<Void> runs = Sinks.empty();
        Sinks.Empty<Void> end = Sinks.empty();
        OncePerTick inA = job(on.a(), tick -> {
            runs.tryEmitEmpty();
            return end.asMono();
        });
        OncePerTick inB = job(on.b(), tick -> Mono.empty());

        List<Outcome> outcomes = Flux.mergeSequential(
                        inA.run(7),
                        runs.asMono().then(inB.run(7)).doOnTerminate(end::tryEmitEmpty))
                .collectList()
                .block(OnRedis.SOON);

        assertThat(outcomes).containsExactly(Outcome.RUN, Outcome.BUSY);
        assertThat(begun).containsExactly(7L);
    }

    @Test
    void whoeverComesWhenTheJobIsOverFindsItDone() {
        OncePerTick inA = job(on.a(), tick -> Mono.empty());
        OncePerTick inB = job(on.b(), tick -> Mono.empty());

        assertThat(inA.run(7).block(OnRedis.SOON)).isEqualTo(Outcome.RUN);
        assertThat(on.get("lock:cleanup")).as("free again").isNull();
        assertThat(inB.run(7).block(OnRedis.SOON)).isEqualTo(Outcome.DONE_BEFORE);
        assertThat(inB.run(6).block(OnRedis.SOON)).as("its clock is very late").isEqualTo(Outcome.DONE_BEFORE);
        assertThat(inB.run(8).block(OnRedis.SOON)).isEqualTo(Outcome.RUN);
        assertThat(begun).containsExactly(7L, 8L);
    }

    @Test
    void aTickWhoseJobFailedIsRunByTheNextWhoComesToIt() {
        OncePerTick inA = job(on.a(), tick -> Mono.error(new IllegalStateException("disk full")));
        OncePerTick inB = job(on.b(), tick -> Mono.empty());

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> inA.run(7).block(OnRedis.SOON)).withMessage("disk full");
        assertThat(inB.run(7).block(OnRedis.SOON)).isEqualTo(Outcome.RUN);
    }

    @Test
    void aTickWhoseLockWasLostIsNotMarkedAsDone() {
        OncePerTick inA = job(on.a(), tick -> on.delete("lock:cleanup").then(Mono.never()));
        OncePerTick inB = job(on.b(), tick -> Mono.empty());

        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> inA.run(7).block(OnRedis.SOON));
        assertThat(inB.run(7).block(OnRedis.SOON)).isEqualTo(Outcome.RUN);
    }

    @Test
    void ticksThatBeginWhileTheJobRunsAreLeftOut() {
        Duration period = Duration.ofMillis(20);
        OncePerTick slow = job(on.a(), tick -> Mono.delay(period.multipliedBy(4)).then());

        slow.every(period, Clock.systemUTC()).filter(Outcome.RUN::equals).take(3).blockLast(OnRedis.SOON);

        assertThat(begun).hasSize(3);
        assertThat(begun.get(1) - begun.get(0)).isGreaterThanOrEqualTo(4);
        assertThat(begun.get(2) - begun.get(1)).isGreaterThanOrEqualTo(4);
    }

    @Test
    void aTickThatFailsDoesNotEndTheSchedule() {
        OncePerTick onceBroken = job(on.a(), tick -> begun.size() == 1
                ? Mono.error(new IllegalStateException("the failure of a test")) : Mono.empty());

        List<Outcome> outcomes = onceBroken.every(Duration.ofMillis(20), Clock.systemUTC())
                .takeUntil(Outcome.RUN::equals)
                .collectList()
                .block(OnRedis.SOON);

        assertThat(outcomes).startsWith(Outcome.FAILED).endsWith(Outcome.RUN);
    }

    @Test
    void processesWhoseClocksDifferRunNoTickTwice() {
        Duration period = Duration.ofMillis(40);
        Clock late = Clock.offset(Clock.systemUTC(), Duration.ofMillis(-15));

        Mono.when(
                        job(on.a(), tick -> Mono.empty()).every(period, Clock.systemUTC()).take(10),
                        job(on.b(), tick -> Mono.empty()).every(period, late).take(10))
                .block(OnRedis.SOON);

        assertThat(begun).isNotEmpty().doesNotHaveDuplicates();
    }

    private OncePerTick job(ReactiveRedisLocks locks, LongFunction<Mono<Void>> work) {
        return new OncePerTick(locks, on.processes().redis(), tick -> {
            begun.add(tick);
            return work.apply(tick);
        });
    }
}
