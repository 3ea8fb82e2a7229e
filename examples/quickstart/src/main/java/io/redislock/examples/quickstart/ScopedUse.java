package io.redislock.examples.quickstart;

import java.time.Duration;

import io.redislock.LockOptions;
import io.redislock.reactor.ReactiveRedisLocks;
import reactor.core.publisher.Mono;

/** The everyday form: the lock is held while the work runs, and released when it ends, in whatever way it ends. */
final class ScopedUse {

    private final ReactiveRedisLocks locks;
    private final Story story;

    ScopedUse(ReactiveRedisLocks locks, Story story) {
        this.locks = locks;
        this.story = story;
    }

    Mono<Void> chapter() {
        // snippet: scoped
        LockOptions options = LockOptions.defaults()
                .expiry(Duration.ofSeconds(30))
                .retry(5, Duration.ofMillis(200));

        Mono<String> receipt = locks.withLock("resource:order:123", options, lock -> processOrder(123));
        // end
        return story.chapter("Scoped: held while the work runs, released after it",
                receipt.doOnNext(story::tell)
                        .then(story.tellHolder(locks, "resource:order:123")));
    }

    private Mono<String> processOrder(int id) {
        return story.tellHolder(locks, "resource:order:" + id)
                .thenReturn("order " + id + " is processed");
    }
}
