package io.redislock.reactor;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.publisher.Sinks;

/**
 * A signal for those who listen already and those who come to listen later. The first one counts. Most of these nobody
 * ever listens to, so what tells it is made when the first one does.
 */
final class Late<T> {

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<Late, Signal> SIGNAL =
            AtomicReferenceFieldUpdater.newUpdater(Late.class, Signal.class, "signal");

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<Late, Sinks.One> SINK =
            AtomicReferenceFieldUpdater.newUpdater(Late.class, Sinks.One.class, "sink");

    private volatile @Nullable Signal<T> signal;
    private volatile Sinks.@Nullable One<T> sink;

    void value(T value) {
        end(Signal.next(value));
    }

    void empty() {
        end(Signal.complete());
    }

    void error(Throwable failure) {
        end(Signal.error(failure));
    }

    /** At once if the signal was given. */
    Mono<T> mono() {
        Sinks.One<T> listened = sink;
        if (listened == null) {
            Sinks.One<T> made = Sinks.one();
            listened = SINK.compareAndSet(this, null, made) ? made : mustBe(sink);
        }
        tell();
        return listened.asMono();
    }

    private static <T> Sinks.One<T> mustBe(Sinks.@Nullable One<T> made) {
        if (made == null) {
            throw new IllegalStateException("a sink is never taken back");
        }
        return made;
    }

    private void end(Signal<T> given) {
        SIGNAL.compareAndSet(this, null, given);
        tell();
    }

    /** Whoever comes second of signal and sink sees both. */
    private void tell() {
        Signal<T> given = signal;
        Sinks.One<T> listened = sink;
        if (given == null || listened == null) {
            return;
        }
        T value = given.get();
        Throwable failure = given.getThrowable();
        if (value != null) {
            listened.tryEmitValue(value);
        } else if (failure != null) {
            listened.tryEmitError(failure);
        } else {
            listened.tryEmitEmpty();
        }
    }
}
