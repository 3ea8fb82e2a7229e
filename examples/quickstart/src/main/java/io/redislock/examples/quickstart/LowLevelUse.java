package io.redislock.examples.quickstart;

import java.time.Duration;
import java.util.UUID;

import io.redislock.LockUnavailableException;
import io.redislock.reactor.ReactiveRedisLocks;
import reactor.core.publisher.Mono;

/** The form for those who bring their own owner value, as with StackExchange.Redis. No retries, no handle. */
final class LowLevelUse {

    private final ReactiveRedisLocks locks;
    private final Story story;

    LowLevelUse(ReactiveRedisLocks locks, Story story) {
        this.locks = locks;
        this.story = story;
    }

    Mono<Void> chapter() {
        // snippet: low-level
        Mono<String> updated = Mono.defer(() -> {
            String value = "stock-taking:" + UUID.randomUUID(); // one of its own for each subscription
            return Mono.usingWhen(
                    locks.take("resource:inventory", value, Duration.ofSeconds(30)).filter(taken -> taken),
                    taken -> updateInventory(),
                    // An error of the release would replace the result. Left alone, the key goes with its expiry.
                    taken -> locks.release("resource:inventory", value)
                            .onErrorReturn(LockUnavailableException.class, false));
        });
        // end
        return story.chapter("Low level: take and release with a value of your own",
                updated.doOnNext(story::tell)
                        .then(story.tellHolder(locks, "resource:inventory")));
    }

    private Mono<String> updateInventory() {
        return story.tellHolder(locks, "resource:inventory")
                .thenReturn("the inventory is updated");
    }
}
