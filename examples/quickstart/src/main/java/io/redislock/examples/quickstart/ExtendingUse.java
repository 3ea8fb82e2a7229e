package io.redislock.examples.quickstart;

import java.time.Duration;

import io.redislock.LockOptions;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.reactor.RedisLock;
import reactor.core.publisher.Mono;

/** A task that asks for more time half-way, and stops when it learns that the lock is no longer its own. */
final class ExtendingUse {

    private final ReactiveRedisLocks locks;
    private final Story story;

    ExtendingUse(ReactiveRedisLocks locks, Story story) {
        this.locks = locks;
        this.story = story;
    }

    Mono<Void> chapter() {
        // snippet: extend
        LockOptions tenSeconds = LockOptions.defaults().expiry(Duration.ofSeconds(10));

        Mono<String> outcome = Mono.usingWhen(
                        locks.acquire("long-task", tenSeconds),
                        lock -> firstHalf(lock)
                                .then(lock.extend(Duration.ofSeconds(30)))
                                .flatMap(extended -> extended ? secondHalf(lock) : Mono.just("stopped: lock lost")),
                        RedisLock::release)
                .defaultIfEmpty("not started: somebody else is at it");
        // end
        return story.chapter("Extending: more time for a long task",
                outcome.doOnNext(story::tell)
                        .then(story.tellHolder(locks, "long-task")));
    }

    private Mono<Void> firstHalf(RedisLock lock) {
        return Mono.fromRunnable(() -> story.tell("first half, " + left(lock)));
    }

    private Mono<String> secondHalf(RedisLock lock) {
        return Mono.fromSupplier(() -> {
            story.tell("second half, " + left(lock));
            return "finished";
        });
    }

    /** Answered by the local clock, without asking Redis. */
    private static String left(RedisLock lock) {
        return "the lock is held for " + lock.remaining().toSeconds() + " s at least";
    }
}
