package io.redislock.reactor;

import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Runs a source apart from its subscriber, and decides in one place who gets the result: the subscriber, or, when the
 * call was cancelled, whoever cleans up. No result is lost, and none has two owners. This is the heart of the library.
 *
 * <p><b>The problem.</b> A command that was written runs on the server, whatever happens to the subscription. So a
 * subscription that is cancelled may still yield a lock, and somebody must give it back:
 * <pre>
 *   subscriber   |--subscribe-----------cancel
 *   connection          |--EVALSHA-----------------reply: acquired     nobody is there
 * </pre>
 * Reactor's operators cannot be that somebody. {@code usingWhen} over {@code attempt.retryWhen(backoff)}, the textbook
 * composition, looks right and leaks: {@code retryWhen} serialises what it passes on, and a value that arrives just
 * after a cancel is discarded without a trace. So nothing may stand between the attempts and the decision, and the
 * attempts must not be cancelled from below.
 *
 * <p><b>The answer.</b> The whole source, retries included, is subscribed to by this operator alone and never
 * cancelled. One compare-and-set decides:
 * <pre>
 *                              request                 result
 *              CREATED ---------------------> RUNNING ---------------------> DELIVERED: onNext, onComplete
 *                 |                              |
 *                 | cancel                       | cancel: tells the source to stop soon
 *                 v                              v
 *              CANCELLED: never started      CANCELLED ---- a result still comes ----> abandoned: released
 * </pre>
 * The races, with {@code !} where the compare-and-set succeeds:
 * <pre>
 *   1  cancel before the reply       cancel !  . . .  reply: acquired, released in the background
 *   2  reply before the cancel       reply !, delivered . . . cancel: the owner is downstream now
 *   3  cancel during a delay         cancel !  the delay is cut short, no further attempt
 *   4  cancel between the decision   cancel !  . . .  the attempt is sent all the same, its reply comes: as 1
 *      to send and the sending
 *   5  cancel while the reply is     either one ! and the other sees it: as 1 or as 2
 *      being delivered
 * </pre>
 * The release follows the reply, never the cancel: sent at the cancel it could overtake the acquisition in case 4, and
 * where a missing script makes the client send the command a second time.
 *
 * <p>After {@code DELIVERED} the value is downstream's; {@code usingWhen} takes it from there without loss. An
 * asynchronous operator below this one would open the gap again, so the hop to another scheduler, when asked for,
 * happens here, before the compare-and-set.
 */
final class Handover<T> extends Mono<T> {

    /** What runs for one subscription. */
    interface Source<T> {

        /** Subscribed to once, and never cancelled. */
        Mono<? extends T> run();

        /** The call was cancelled: {@link #run} should end soon. */
        default void cancelled() {
        }

        /** The subscriber is about to be given the result, which is its own from here on. */
        default void delivered(T result, ContextView context) {
        }

        /** A result came that nobody takes. */
        void abandon(T result, ContextView context);
    }

    private final Supplier<? extends Source<T>> sources;
    private final @Nullable Scheduler scheduler;

    /**
     * @param sources makes what to run, for each subscription
     * @param scheduler where to deliver, {@code null} for where the result arrives
     */
    Handover(Supplier<? extends Source<T>> sources, @Nullable Scheduler scheduler) {
        this.sources = sources;
        this.scheduler = scheduler;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        actual.onSubscribe(new Run<>(this, actual));
    }

    private static final class Run<T> implements Subscription, CoreSubscriber<T> {

        private static final int CREATED = 0;
        private static final int RUNNING = 1;
        private static final int DELIVERED = 2;
        private static final int CANCELLED = 3;

        @SuppressWarnings("rawtypes")
        private static final AtomicIntegerFieldUpdater<Run> STATE =
                AtomicIntegerFieldUpdater.newUpdater(Run.class, "state");

        private final Handover<T> handover;
        private final CoreSubscriber<? super T> actual;
        private volatile @Nullable Source<T> source;
        private volatile int state = CREATED;
        private boolean hasResult;

        Run(Handover<T> handover, CoreSubscriber<? super T> actual) {
            this.handover = handover;
            this.actual = actual;
        }

        @Override
        public void request(long n) {
            if (Operators.validate(n) && STATE.compareAndSet(this, CREATED, RUNNING)) {
                Mono<? extends T> running;
                try {
                    Source<T> made = handover.sources.get();
                    source = made;
                    running = made.run();
                } catch (Throwable failed) {
                    Exceptions.throwIfFatal(failed);
                    onError(failed);
                    return;
                }
                if (state == CANCELLED) {
                    // Cancelled before there was a source to tell.
                    stop();
                }
                running.subscribe(this);
            }
        }

        @Override
        public void cancel() {
            if (STATE.compareAndSet(this, RUNNING, CANCELLED)) {
                stop();
            } else {
                STATE.compareAndSet(this, CREATED, CANCELLED);
            }
        }

        @Override
        public void onSubscribe(Subscription s) {
            s.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(T result) {
            hasResult = true;
            if (!hop(() -> deliver(result), null)) {
                abandon(result);
            }
        }

        @Override
        public void onError(Throwable failure) {
            hop(() -> {
                if (STATE.compareAndSet(this, RUNNING, DELIVERED)) {
                    actual.onError(failure);
                }
            }, failure);
        }

        @Override
        public void onComplete() {
            if (hasResult) {
                return; // its delivery, which may still be on its way, completes too
            }
            hop(() -> {
                if (STATE.compareAndSet(this, RUNNING, DELIVERED)) {
                    actual.onComplete();
                }
            }, null);
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        private void deliver(T result) {
            if (STATE.compareAndSet(this, RUNNING, DELIVERED)) {
                made().delivered(result, actual.currentContext());
                actual.onNext(result);
                actual.onComplete();
            } else {
                abandon(result);
            }
        }

        private void abandon(T result) {
            made().abandon(result, actual.currentContext());
        }

        private void stop() {
            Source<T> made = source;
            if (made != null) {
                made.cancelled();
            }
        }

        private Source<T> made() {
            return Objects.requireNonNull(source, "a result has a source");
        }

        /** Runs the step where signals are wanted. False when that scheduler refuses, which the subscriber is told. */
        private boolean hop(Runnable step, @Nullable Throwable failure) {
            if (handover.scheduler == null) {
                step.run();
                return true;
            }
            try {
                handover.scheduler.schedule(step);
                return true;
            } catch (RejectedExecutionException refused) {
                if (failure != null) {
                    refused.addSuppressed(failure);
                }
                if (STATE.compareAndSet(this, RUNNING, DELIVERED)) {
                    actual.onError(refused);
                }
                return false;
            }
        }
    }
}
