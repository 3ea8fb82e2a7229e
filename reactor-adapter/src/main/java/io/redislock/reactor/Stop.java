package io.redislock.reactor;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Tells those who wait to stop, whether they listen already or come to listen later. The first reason counts. */
final class Stop {

    private static final AtomicReferenceFieldUpdater<Stop, Throwable> REASON =
            AtomicReferenceFieldUpdater.newUpdater(Stop.class, Throwable.class, "reason");

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<Stop, Sinks.Empty> SIGNAL =
            AtomicReferenceFieldUpdater.newUpdater(Stop.class, Sinks.Empty.class, "signal");

    private volatile @Nullable Throwable reason;
    /** Most acquisitions never wait, so it is made when the first one listens. */
    private volatile Sinks.@Nullable Empty<Void> signal;

    void because(Throwable why) {
        REASON.compareAndSet(this, null, why);
        tell();
    }

    /** Fails with the reason, at once if there is one. Emits nothing else. */
    <T> Mono<T> signal() {
        SIGNAL.compareAndSet(this, null, Sinks.empty());
        tell();
        Sinks.Empty<Void> made = signal;
        return made == null ? Mono.never() : made.asMono().then(Mono.empty());
    }

    private void tell() {
        Throwable why = reason;
        Sinks.Empty<Void> made = signal;
        if (why != null && made != null) {
            made.tryEmitError(why);
        }
    }
}
