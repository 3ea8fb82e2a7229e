package io.redislock.reactor;

import java.util.function.Consumer;

import reactor.core.publisher.BaseSubscriber;

/**
 * Takes what arrives, also just after its cancel: the subscriber behind {@code subscribe(Consumer)} drops that, and
 * then nobody has it.
 */
final class Taker<T> extends BaseSubscriber<T> {

    private final Consumer<? super T> take;

    Taker(Consumer<? super T> take) {
        this.take = take;
    }

    @Override
    protected void hookOnNext(T value) {
        take.accept(value);
    }

    @Override
    protected void hookOnError(Throwable failure) {
        // Only values matter here.
    }
}
