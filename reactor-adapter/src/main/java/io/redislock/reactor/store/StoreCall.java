package io.redislock.reactor.store;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Function;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.redislock.reactor.time.Deadline;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/**
 * One command and its reply as a {@code Mono}, with a timeout that does not forget the command.
 *
 * <p>A plain {@code timeout()} would cancel, and after that nobody learns what a written command did. Here the timeout
 * first tries to withdraw the command. If it was written already, the subscriber gets its error at once, and the
 * command stays observed: {@link StoreFailure} tells its late reply, or that it is over. The same when the client's own
 * timeout comes first.
 *
 * <p>A missing script is sent again as its source within the same call, unless the subscriber was told already.
 *
 * @param <R> what the client decodes
 * @param <T> what is made of it
 */
final class StoreCall<R, T> extends Mono<Answer<T>> {

    private final Outbox outbox;
    private final StoreRequest<R> request;
    private final Function<? super R, ? extends T> parser;
    private final Duration timeout;

    StoreCall(Outbox outbox, StoreRequest<R> request,
            Function<? super R, ? extends T> parser, Duration timeout) {
        this.outbox = outbox;
        this.request = request;
        this.parser = parser;
        this.timeout = timeout;
    }

    @Override
    public void subscribe(CoreSubscriber<? super Answer<T>> actual) {
        actual.onSubscribe(new Exchange<>(this, actual));
    }

    /** What happens to a command after its subscriber was told that there is no answer. */
    private static final class Aftermath<T> {

        /** Completes when the command is over. The client's giving up ends it, and a reply may come even then. */
        private final Sinks.Empty<Void> over = Sinks.empty();
        private final Sinks.One<T> late = Sinks.one();
    }

    private static final class Exchange<R, T> extends Deadline implements Subscription, StoreCommand.Listener<R> {

        /** Between looking whether a command is done and writing it, Lettuce takes microseconds, if it is let. */
        private static final Duration WITHDRAWAL_GRACE = Duration.ofMillis(20);

        private static final int CREATED = 0;
        private static final int SENT = 1;
        private static final int OVER = 2;

        @SuppressWarnings("rawtypes")
        private static final AtomicIntegerFieldUpdater<Exchange> PHASE =
                AtomicIntegerFieldUpdater.newUpdater(Exchange.class, "phase");

        @SuppressWarnings("rawtypes")
        private static final AtomicReferenceFieldUpdater<Exchange, Aftermath> AFTERMATH =
                AtomicReferenceFieldUpdater.newUpdater(Exchange.class, Aftermath.class, "aftermath");

        private final StoreCall<R, T> call;
        /** Let go of once it was told, or has cancelled: Lettuce may keep a withdrawn command until it reconnects. */
        private @Nullable CoreSubscriber<? super Answer<T>> actual;
        private volatile int phase = CREATED;
        private volatile @Nullable StoreCommand<R> command;
        /** Whether an earlier command of this call may have run although the server said that it had not. */
        private volatile boolean earlierMayHaveRun;
        private volatile @Nullable Aftermath<T> aftermath;

        Exchange(StoreCall<R, T> call, CoreSubscriber<? super Answer<T>> actual) {
            this.call = call;
            this.actual = actual;
        }

        @Override
        public void request(long n) {
            if (Operators.validate(n) && PHASE.compareAndSet(this, CREATED, SENT)) {
                StoreCommand<R> first = call.request.command(this);
                command = first; // before the timer, which may fire at once and must find it
                call.outbox.timeouts().set(this, call.timeout);
                call.outbox.add(first);
            }
        }

        @Override
        public void cancel() {
            if (PHASE.getAndSet(this, OVER) == SENT) {
                actual = null;
                unset();
                StoreCommand<R> current = command;
                if (current != null) {
                    current.withdraw();
                }
            }
        }

        @Override
        public void onReply(StoreCommand<R> replied) {
            String error = replied.getOutput().hasError() ? replied.getOutput().getError() : null;
            boolean resent = earlierMayHaveRun || replied.timesWritten() > 1;
            if (error != null && error.startsWith("NOSCRIPT") && phase == SENT) {
                StoreCommand<R> withSource = call.request.commandWithSource(this);
                if (withSource != null) {
                    earlierMayHaveRun = resent;
                    command = withSource;
                    if (phase == SENT || !withSource.withdraw()) {
                        call.outbox.add(withSource);
                        return;
                    }
                    // The time was up in between, or the call was cancelled: nothing more is sent, and it is over.
                }
            }
            T reply = null;
            if (error == null) {
                try {
                    R decoded = replied.get();
                    reply = decoded == null ? null : call.parser.apply(decoded);
                } catch (RuntimeException unexpected) {
                    onFailure(replied, unexpected);
                    return;
                }
            }
            if (!ends(reply)) {
                return;
            }
            CoreSubscriber<? super Answer<T>> subscriber = letGo();
            if (error != null) {
                RedisCommandExecutionException cause = new RedisCommandExecutionException(error);
                String message = "Redis answered with an error: " + error + ErrorHint.forReply(error);
                subscriber.onError(resent
                        ? StoreFailure.outcomeUnknown(message, cause) : StoreFailure.withoutEffect(message, cause));
            } else if (reply != null) {
                subscriber.onNext(new Answer<>(reply, resent));
                subscriber.onComplete();
            } else if (call.request.mayBeEmpty()) {
                subscriber.onComplete();
            } else {
                subscriber.onError(StoreFailure.outcomeUnknown("Redis answered a script with nil", null));
            }
        }

        @Override
        public void onFailure(StoreCommand<R> failed, Throwable failure) {
            // When the client has only stopped waiting, the reply may still come.
            Aftermath<T> after = failure instanceof RedisCommandTimeoutException ? aftermath() : new Aftermath<>();
            if (!PHASE.compareAndSet(this, SENT, OVER)) {
                aftermath().over.tryEmitEmpty();
                if (!(failure instanceof RedisCommandTimeoutException)) {
                    aftermath().late.tryEmitEmpty();
                }
                return;
            }
            unset();
            boolean mayHaveRun = earlierMayHaveRun || failed.timesWritten() > 0;
            String message = (mayHaveRun ? "No reply, and the command may have run: " : "The command was not sent: ")
                    + failure.getMessage();
            // Not written, and its own timeout ended it: as with a withdrawal it may be written all the same.
            letGo().onError(mayHaveRun
                    ? StoreFailure.outcomeUnknown(message, failure, after.late.asMono())
                    : failure instanceof RedisCommandTimeoutException
                            ? StoreFailure.timedOut(message, failure, false, after.over.asMono(), after.late.asMono())
                            : StoreFailure.withoutEffect(message, failure));
        }

        /** The time is up. */
        @Override
        protected void due() {
            Aftermath<T> end = aftermath();
            if (!PHASE.compareAndSet(this, SENT, OVER)) {
                return;
            }
            StoreCommand<R> current = command;
            boolean mayHaveRun = earlierMayHaveRun || current != null && !current.withdraw();
            if (earlierMayHaveRun && (current == null || current.timesWritten() == 0)) {
                end.over.tryEmitEmpty();
            }
            if (mayHaveRun) {
                tellTimedOut(true, end);
            } else {
                // Lettuce may be about to write it all the same, see StoreCommand. So look once more before saying so.
                Schedulers.parallel().schedule(() -> tellTimedOut(current != null && current.timesWritten() > 0, end),
                        WITHDRAWAL_GRACE.toNanos(), TimeUnit.NANOSECONDS);
            }
        }

        private void tellTimedOut(boolean mayHaveRun, Aftermath<T> end) {
            letGo().onError(StoreFailure.timedOut("Redis did not answer within " + call.timeout.toMillis() + " ms; "
                    + (mayHaveRun ? "the command was sent and may have run" : "the command was not sent, because "
                            + "there is no connection or its event loop is blocked, and is withdrawn"),
                    null, mayHaveRun, end.over.asMono(), end.late.asMono()));
        }

        /** The subscriber, for the one who has ended the call. */
        private CoreSubscriber<? super Answer<T>> letGo() {
            CoreSubscriber<? super Answer<T>> subscriber = Objects.requireNonNull(actual, "told once");
            actual = null;
            return subscriber;
        }

        /** Whether the subscriber is still to be told. If not, its time was up, and who waits for the end is told. */
        private boolean ends(@Nullable T reply) {
            if (PHASE.compareAndSet(this, SENT, OVER)) {
                unset();
                return true;
            }
            Aftermath<T> end = aftermath();
            if (reply == null) {
                end.late.tryEmitEmpty();
            } else {
                end.late.tryEmitValue(reply);
            }
            end.over.tryEmitEmpty();
            return false;
        }

        /** Made by whoever comes first: the timeout, the client's own one, or the end. */
        private Aftermath<T> aftermath() {
            Aftermath<T> existing = aftermath;
            if (existing != null) {
                return existing;
            }
            AFTERMATH.compareAndSet(this, null, new Aftermath<T>());
            return aftermath();
        }
    }
}
