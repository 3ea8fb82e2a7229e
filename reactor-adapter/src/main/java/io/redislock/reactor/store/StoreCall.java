package io.redislock.reactor.store;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Function;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.api.StatefulConnection;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
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

    private final StatefulConnection<String, String> connection;
    private final StoreRequest<R> request;
    private final Function<? super R, ? extends T> parser;
    private final Duration timeout;

    StoreCall(StatefulConnection<String, String> connection, StoreRequest<R> request,
            Function<? super R, ? extends T> parser, Duration timeout) {
        this.connection = connection;
        this.request = request;
        this.parser = parser;
        this.timeout = timeout;
    }

    @Override
    public void subscribe(CoreSubscriber<? super Answer<T>> actual) {
        actual.onSubscribe(new Exchange<>(this, actual));
    }

    private static final class Exchange<R, T> implements Subscription, StoreCommand.Listener<R>, Runnable {

        private static final int CREATED = 0;
        private static final int SENT = 1;
        private static final int OVER = 2;

        @SuppressWarnings("rawtypes")
        private static final AtomicIntegerFieldUpdater<Exchange> PHASE =
                AtomicIntegerFieldUpdater.newUpdater(Exchange.class, "phase");

        private final StoreCall<R, T> call;
        private final CoreSubscriber<? super Answer<T>> actual;
        private volatile int phase = CREATED;
        private Disposable timer = Disposables.disposed();
        private volatile @Nullable StoreCommand<R> command;
        /** Whether an earlier command of this call may have run although the server said that it had not. */
        private volatile boolean earlierMayHaveRun;
        private volatile Sinks.@Nullable One<T> late;

        Exchange(StoreCall<R, T> call, CoreSubscriber<? super Answer<T>> actual) {
            this.call = call;
            this.actual = actual;
        }

        @Override
        public void request(long n) {
            if (Operators.validate(n) && PHASE.compareAndSet(this, CREATED, SENT)) {
                timer = Schedulers.parallel().schedule(this, call.timeout.toNanos(), TimeUnit.NANOSECONDS);
                send(call.request.command(this));
            }
        }

        @Override
        public void cancel() {
            if (PHASE.getAndSet(this, OVER) == SENT) {
                timer.dispose();
                StoreCommand<R> current = command;
                if (current != null) {
                    current.withdraw();
                }
            }
        }

        private void send(StoreCommand<R> next) {
            command = next;
            try {
                call.connection.dispatch(next);
            } catch (RuntimeException refused) {
                next.completeExceptionally(refused);
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
                    send(withSource);
                    return;
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
            if (error != null) {
                RedisCommandExecutionException cause = new RedisCommandExecutionException(error);
                String message = "Redis answered with an error: " + error + ErrorHint.forReply(error);
                actual.onError(resent
                        ? StoreFailure.outcomeUnknown(message, cause) : StoreFailure.withoutEffect(message, cause));
            } else if (reply != null) {
                actual.onNext(new Answer<>(reply, resent));
                actual.onComplete();
            } else if (call.request.mayBeEmpty()) {
                actual.onComplete();
            } else {
                actual.onError(StoreFailure.outcomeUnknown("Redis answered a script with nil", null));
            }
        }

        @Override
        public void onFailure(StoreCommand<R> failed, Throwable failure) {
            Sinks.One<T> lateReply = Sinks.one();
            if (failure instanceof RedisCommandTimeoutException && phase == SENT) {
                late = lateReply; // the client has stopped waiting, and the reply may still come
            }
            if (!ends(null)) {
                return;
            }
            boolean mayHaveRun = earlierMayHaveRun || failed.timesWritten() > 0;
            String message = (mayHaveRun ? "No reply, and the command may have run: " : "The command was not sent: ")
                    + failure.getMessage();
            actual.onError(mayHaveRun
                    ? StoreFailure.outcomeUnknown(message, failure, lateReply.asMono())
                    : StoreFailure.withoutEffect(message, failure));
        }

        /** The timeout. */
        @Override
        public void run() {
            Sinks.One<T> end = Sinks.one();
            late = end;
            if (!PHASE.compareAndSet(this, SENT, OVER)) {
                return;
            }
            StoreCommand<R> current = command;
            boolean mayHaveRun = earlierMayHaveRun || current != null && !current.withdraw();
            if (earlierMayHaveRun && (current == null || current.timesWritten() == 0)) {
                end.tryEmitEmpty();
            }
            actual.onError(StoreFailure.timedOut("Redis did not answer within " + call.timeout + "; "
                    + (mayHaveRun ? "the command was sent and may have run" : "the command was not sent, as there is "
                            + "no connection, and is withdrawn"), mayHaveRun, end.asMono()));
        }

        /** Whether the subscriber is still to be told. If not, its time was up, and who waits for the end is told. */
        private boolean ends(@Nullable T reply) {
            if (PHASE.compareAndSet(this, SENT, OVER)) {
                timer.dispose();
                return true;
            }
            Sinks.One<T> end = late;
            if (end != null) {
                if (reply == null) {
                    end.tryEmitEmpty();
                } else {
                    end.tryEmitValue(reply);
                }
            }
            return false;
        }
    }
}
