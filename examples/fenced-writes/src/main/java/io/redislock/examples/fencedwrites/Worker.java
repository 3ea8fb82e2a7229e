package io.redislock.examples.fencedwrites;

import java.time.Duration;

import io.redislock.LockOptions;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.reactor.RedisLock;
import reactor.core.publisher.Mono;

/** B: waits for the lock, and writes its report under it. */
final class Worker {

    private final ReactiveRedisLocks locks;
    private final Reports reports;
    private final Timeline timeline;

    Worker(ReactiveRedisLocks locks, Reports reports, Timeline timeline) {
        this.locks = locks;
        this.reports = reports;
        this.timeline = timeline;
    }

    /** Emits whether the report was accepted. Fails as {@code withLock} does. */
    Mono<Boolean> publish(String id) {
        // snippet: fenced
        LockOptions fenced = LockOptions.defaults()
                .waitAtMost(Duration.ofSeconds(20))
                .fenced();

        Mono<Boolean> accepted = locks.withLock("publish:" + id, fenced, lock -> compute(lock)
                .flatMap(report -> reports.write(id, report, lock.fencingToken().orElseThrow())));
        // end
        return accepted.doOnNext(written -> timeline.tell("B", "writes its report: " + Reports.answer(written)));
    }

    private Mono<String> compute(RedisLock lock) {
        return Mono.fromSupplier(() -> {
            timeline.tell("B", "has the lock, token " + lock.fencingToken().orElseThrow());
            return "B";
        });
    }
}
