package io.redislock.examples.quickstart;

import io.redislock.reactor.ReactiveRedisLocks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A client hangs up while its request is being worked on. The work is cancelled, and the key is gone at once. */
final class CancelledRequest {

    private final ReactiveRedisLocks locks;
    private final Story story;

    CancelledRequest(ReactiveRedisLocks locks, Story story) {
        this.locks = locks;
        this.story = story;
    }

    Mono<Void> chapter() {
        Sinks.Empty<Void> paying = Sinks.empty();
        RequestHandler handler = new RequestHandler(locks, orderId -> Mono.<String>never()
                .doOnSubscribe(start -> paying.tryEmitEmpty())
                .doOnCancel(() -> story.tell("the work is cancelled")));

        Mono<Void> clientHangsUp = paying.asMono()
                .then(story.tellHolder(locks, "order:8"))
                .doOnSuccess(end -> story.tell("the client hangs up"));

        return story.chapter("A cancelled request leaves no key behind",
                // When the client hangs up, a server cancels the subscription. So does takeUntilOther.
                handler.charge("8").takeUntilOther(clientHangsUp)
                        .then(story.tellHolder(locks, "order:8")));
    }
}
