package io.redislock.examples.quickstart;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.redislock.LockOptions;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.reactor.RedisLock;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Several workers want one key at the same time: one holds it, the others wait. */
final class Contention {

    private static final Duration WORK_TAKES = Duration.ofMillis(80);

    /** They start together, each asks again after some 20 to 60 ms, and waits for ten seconds at most. */
    private static final LockOptions PATIENT = LockOptions.defaults()
            .retry(Long.MAX_VALUE, Duration.ofMillis(20))
            .maxRetryDelay(Duration.ofMillis(60))
            .waitAtMost(Duration.ofSeconds(10));

    private final ReactiveRedisLocks locks;
    private final Story story;
    private final AtomicInteger holders = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();

    Contention(ReactiveRedisLocks locks, Story story) {
        this.locks = locks;
        this.story = story;
    }

    Mono<Void> chapter() {
        return story.chapter("Contention: four workers, one key",
                Mono.defer(() -> {
                    Timeline timeline = new Timeline(story);
                    return Flux.just("A", "B", "C", "D")
                            .flatMap(worker -> turn(worker, timeline))
                            .then(Mono.fromRunnable(this::tellSum));
                }));
    }

    private Mono<Void> turn(String worker, Timeline timeline) {
        return locks.withLock("printer", PATIENT, lock -> work(lock, worker, timeline))
                .doOnSubscribe(start -> timeline.tell(worker, "asks for it"));
    }

    private Mono<Void> work(RedisLock lock, String worker, Timeline timeline) {
        return Mono.delay(WORK_TAKES)
                .doOnSubscribe(start -> {
                    mostAtOnce.accumulateAndGet(holders.incrementAndGet(), Math::max);
                    timeline.tell(worker, "holds it");
                })
                .doOnNext(end -> {
                    timeline.tell(worker, lock.isAcquired() ? "releases it" : "was too slow and has lost it");
                    holders.decrementAndGet();
                })
                .then();
    }

    private void tellSum() {
        if (mostAtOnce.get() != 1) {
            throw new IllegalStateException(mostAtOnce + " workers held one lock at once");
        }
        story.tell("never two at once");
    }
}
