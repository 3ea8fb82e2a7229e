package io.redislock.examples.pipelines;

import java.time.Clock;
import java.time.Duration;
import java.util.function.LongFunction;

import io.lettuce.core.api.reactive.RedisReactiveCommands;
import io.redislock.LockNotAcquiredException;
import io.redislock.LockOptions;
import io.redislock.reactor.ReactiveRedisLocks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A job on a schedule that every process keeps and one of them runs: who finds it busy, or done, skips the tick.
 *
 * <pre>
 *   process A   |[=====]        done = 7      |
 *   process B   |  busy                       |   skips: the lock says so
 *   process C   |           tick 7: done      |   its clock is late: skips, the mark says so
 * </pre>
 *
 * <p>The lock alone is not enough. It keeps two from running at the same time, and clocks differ: one who comes to a
 * tick when the job is over finds the lock free. So ticks have numbers, the same for all, and the last one that was
 * done is written down under the lock. Holding the lock for the rest of the tick would do too, but only as long as its
 * holder lives.
 *
 * <p><b>What remains.</b> A job that fails, or loses its lock, is not marked: who comes later to that tick runs it, and
 * who skipped it does not come back. So it may be repeated, or left to the next tick. A job that must not be repeated
 * keeps the mark where its results go, in the same transaction. And clocks may differ, but by much less than a period:
 * a process whose clock is far ahead marks ticks that the others then skip.
 */
final class OncePerTick {

    enum Outcome { RUN, DONE_BEFORE, BUSY, FAILED }

    private static final Logger LOG = LoggerFactory.getLogger(OncePerTick.class);
    private static final String LAST_TICK = "cleanup:last-tick";

    /** No wait: one attempt. Renewed, so that the expiry need not be as long as the longest run. */
    private static final LockOptions SKIP_IF_BUSY = LockOptions.defaults()
            .name("cleanup")
            .waitAtMost(Duration.ZERO)
            .expiry(Duration.ofSeconds(30))
            .autoRenew(Duration.ofHours(1));

    private final ReactiveRedisLocks locks;
    private final RedisReactiveCommands<String, String> redis;
    private final LongFunction<Mono<Void>> job;

    /** @param job called with the number of the tick */
    OncePerTick(ReactiveRedisLocks locks, RedisReactiveCommands<String, String> redis, LongFunction<Mono<Void>> job) {
        this.locks = locks;
        this.redis = redis;
        this.job = job;
    }

    /** Emits whether the job was run for this tick, here. Fails with the job's error, or the lock's but for "busy". */
    // snippet: once-per-tick
    Mono<Outcome> run(long tick) {
        return locks.withLock("cleanup", SKIP_IF_BUSY, lock -> lastTick()
                        .flatMap(last -> last >= tick
                                ? Mono.just(Outcome.DONE_BEFORE) // by one whose clock is ahead of ours
                                : job.apply(tick).then(markDone(tick)).thenReturn(Outcome.RUN)))
                .onErrorReturn(LockNotAcquiredException.class, Outcome.BUSY);
    }
    // end

    /**
     * Emits the outcome of each tick, without end; a failure is logged, and the next tick comes all the same. Ticks
     * that begin while the job runs here are left out. {@code Flux.interval} knows no such thing: while its consumer is
     * busy it first fills what {@code concatMap} prefetches, to be run late and in a row, and then fails.
     *
     * @param clock the wall clock, which numbers the ticks: from 1970 on, in periods
     */
    Flux<Outcome> every(Duration period, Clock clock) {
        return Mono.defer(() -> {
            long now = clock.millis();
            // A timer may fire a little before the clock says so. Then this is the same tick again: done before.
            long tick = now / period.toMillis() + 1;
            return Mono.delay(Duration.ofMillis(tick * period.toMillis() - now))
                    .then(run(tick))
                    .onErrorResume(failure -> {
                        LOG.warn("Tick {} failed", tick, failure);
                        return Mono.just(Outcome.FAILED);
                    });
        }).repeat();
    }

    private Mono<Long> lastTick() {
        return redis.get(LAST_TICK).map(Long::valueOf).defaultIfEmpty(Long.MIN_VALUE);
    }

    /** One key for each job, so it has no expiry. */
    private Mono<String> markDone(long tick) {
        return redis.set(LAST_TICK, Long.toString(tick));
    }
}
