package io.redislock.reactor;

import java.util.function.Function;

import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Something that is started once and whose outcome is for everybody: each subscriber is first subscribed to the
 * outcome, and only then is it started. So the outcome reaches the one who asked for it on the thread on which it comes
 * up, and not, when it comes quickly, on the asking thread.
 */
final class SubscribedFirst<T> extends Mono<T> {

    /**
     * @param outcome replays what it has emitted
     * @param start starts what leads to the outcome; does nothing if that was done before
     */
    record Step<T>(Mono<T> outcome, Runnable start) {
    }

    private final Function<? super ContextView, Step<T>> steps;

    SubscribedFirst(Function<? super ContextView, Step<T>> steps) {
        this.steps = steps;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        Step<T> step = steps.apply(actual.currentContext());
        step.outcome().subscribe(actual);
        step.start().run();
    }
}
