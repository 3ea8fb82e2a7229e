package io.redislock.reactor;

import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A delay that goes on whoever listens, so that what interrupts it does not prolong it. */
final class Delay implements Disposable {

    private final Sinks.Empty<Void> end = Sinks.empty();
    private final Disposable running;

    /** @param delay emits or fails at its end */
    Delay(Publisher<?> delay) {
        running = Mono.from(delay).subscribe(tick -> { }, end::tryEmitError, end::tryEmitEmpty);
    }

    Mono<Void> end() {
        return end.asMono();
    }

    @Override
    public void dispose() {
        running.dispose();
    }

    @Override
    public boolean isDisposed() {
        return running.isDisposed();
    }
}
