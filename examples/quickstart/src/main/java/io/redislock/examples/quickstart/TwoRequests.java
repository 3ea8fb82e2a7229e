package io.redislock.examples.quickstart;

import io.redislock.examples.quickstart.RequestHandler.Response;
import io.redislock.reactor.ReactiveRedisLocks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Two requests for one order at the same time, and a third one afterwards. */
final class TwoRequests {

    private final ReactiveRedisLocks locks;
    private final Story story;

    TwoRequests(ReactiveRedisLocks locks, Story story) {
        this.locks = locks;
        this.story = story;
    }

    Mono<Void> chapter() {
        // The first payment takes until the second request has its answer, so that the two do meet.
        Sinks.Empty<Void> firstIsPaying = Sinks.empty();
        Sinks.Empty<Void> secondIsAnswered = Sinks.empty();
        RequestHandler handler = new RequestHandler(locks, orderId -> Mono.defer(() -> {
            firstIsPaying.tryEmitEmpty();
            return secondIsAnswered.asMono().thenReturn("order " + orderId + " is charged");
        }));

        Mono<Response> first = handler.charge("7").doOnNext(answer -> tell("first", answer));
        Mono<Response> second = firstIsPaying.asMono()
                .then(handler.charge("7"))
                .doOnNext(answer -> tell("second", answer))
                .doFinally(end -> secondIsAnswered.tryEmitEmpty());
        Mono<Response> third = handler.charge("7").doOnNext(answer -> tell("third", answer));

        return story.chapter("A request handler: two requests for one order at once, a third one later",
                Mono.when(first, second).then(third));
    }

    private void tell(String which, Response answer) {
        story.tell(which + " request: " + answer.status() + ", " + answer.body());
    }
}
