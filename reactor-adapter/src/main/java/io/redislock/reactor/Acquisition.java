package io.redislock.reactor;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;

import io.redislock.LockNotAcquiredException;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import io.redislock.lease.Validity;
import io.redislock.protocol.AcquireReply;
import io.redislock.protocol.LockKey;
import io.redislock.reactor.store.Answer;
import io.redislock.reactor.store.StoreFailure;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * One subscription's way to a lock: attempts, each with a token and a deadline of its own, until one succeeds or the
 * wait is over.
 *
 * <pre>
 *   attempt ---> sent, or shared with one who tries, or not sent at all: see {@link Turn}
 *           ---> the lock                    delivered
 *           ---> no answer                   over: unavailable
 *           ---> busy ---> {@link Waiting} ---> attempt, or over
 * </pre>
 * One step leads to the next, on whatever thread the last one ended.
 */
final class Acquisition extends Mono<RedisLock>
        implements Handover.Source<RedisLock>, OpenWork.Item, Place.Caller, Waiting.Listener {

    private final LockEnvironment environment;
    private final Releases releases;
    private final LockKey key;
    private final LockOptions options;
    private final boolean emptyWhenBusy;
    private final long startNanos;
    private final Place place;
    private @Nullable CoreSubscriber<? super RedisLock> actual;
    /** Made when there is something to wait for. */
    private volatile @Nullable Waiting waiting;
    private volatile @Nullable Throwable stopReason;
    private volatile boolean cancelled;
    private boolean toldThatItWaits;
    private Busy lastBusy = new Busy(null);
    private long attemptCount;

    /**
     * @param emptyWhenBusy whether to complete empty, instead of failing, when the lock was busy to the end
     */
    Acquisition(LockEnvironment environment, Releases releases, LockKey key, LockOptions options,
            boolean emptyWhenBusy) {
        this.environment = environment;
        this.releases = releases;
        this.key = key;
        this.options = options;
        this.emptyWhenBusy = emptyWhenBusy;
        this.startNanos = environment.clock().nanoTime();
        this.place = environment.queues().join(key, options.retryDelay(), this);
    }

    @Override
    public Mono<RedisLock> run() {
        return this;
    }

    /** Once, by the {@link Handover}, which never cancels it. */
    @Override
    public void subscribe(CoreSubscriber<? super RedisLock> handover) {
        actual = handover;
        environment.openWork().begin(this);
        handover.onSubscribe(Operators.emptySubscription());
        attempt();
    }

    /** Nobody waits for the lock any more: a pause is cut short, an attempt in flight is the last. */
    @Override
    public void cancelled() {
        cancelled = true;
        stop(new Busy(null));
    }

    @Override
    public void delivered(RedisLock lock, ContextView context) {
        ((LeasedLock) lock).onDelivered(context);
    }

    @Override
    public void abandon(RedisLock lock, ContextView context) {
        ((LeasedLock) lock).abandon(context);
    }

    /** The locks are closed. */
    @Override
    public void endSoon() {
        stop(Unavailable.closed(key));
    }

    private void stop(Throwable reason) {
        stopReason = reason;
        Waiting begun = waiting;
        if (begun != null) {
            begun.stop();
        }
    }

    Context context() {
        return subscriber().currentContext();
    }

    private CoreSubscriber<? super RedisLock> subscriber() {
        return Objects.requireNonNull(actual, "subscribed to");
    }

    // ---- attempts -------------------------------------------------------------------------------------------------

    private void attempt() {
        if (environment.openWork().isClosed()) {
            over(Unavailable.closed(key));
            return;
        }
        attemptCount++;
        Turn turn = place.turn();
        if (turn == Turn.ATTEMPT) {
            send();
        } else if (turn.busy() != null) {
            wasBusy(turn.busy());
        } else {
            pauseForAnswer();
        }
    }

    private void send() {
        Attempt attempt = new Attempt(this, environment.tokens().next(),
                Validity.ofCommandSentNow(environment.clock(), options.expiry()));
        try {
            environment.fencing().acquire(key, attempt.token(), options).subscribe(attempt);
        } catch (RejectedExecutionException shutDown) { // no timer for it
            failed(attempt, shutDown);
        }
    }

    void answered(Attempt attempt, Answer<AcquireReply> answer) {
        RedisLock lock = null;
        if (answer.reply().acquired() && !environment.openWork().isClosed()
                && !attempt.validity().isOver(environment.clock())) {
            try {
                lock = lock(attempt, answer);
            } catch (RuntimeException unexpected) { // the schedulers were shut down, for instance
                releases.inBackground(release(attempt, answer.resent()), context());
                place.failed(unexpected);
                over(unexpected);
                return;
            }
        }
        if (lock != null) {
            subscriber().onNext(lock);
            subscriber().onComplete();
            return;
        }
        if (answer.reply().acquired() || answer.resent()) {
            // Too late to be believed, or busy although an earlier copy may still run.
            releases.inBackground(release(attempt, answer.resent()), context());
        }
        if (environment.openWork().isClosed()) {
            Throwable closed = Unavailable.closed(key);
            place.failed(closed);
            over(closed);
            return;
        }
        Busy busy = new Busy(answer.reply().holderRemaining());
        place.busy(busy);
        wasBusy(busy);
    }

    private RedisLock lock(Attempt attempt, Answer<AcquireReply> answer) {
        HeldLease held = new HeldLease(environment, releases, release(attempt, answer.resent()), options,
                attempt.validity(), answer.reply().fencingToken());
        environment.listener().acquired(options.name(), key.name(), waited(), attemptCount);
        place.acquired();
        held.begin(); // after it, because a loss is told from here on
        ended();
        return new LeasedLock(held);
    }

    void failed(Attempt attempt, Throwable failure) {
        place.failed(options.isFenced() && failure instanceof StoreFailure refused && !refused.outcomeUnknown()
                ? new FencedAttemptFailed(failure) : failure);
        if (failure instanceof StoreFailure store) {
            releases.afterFailedAttempt(release(attempt, true), store, context());
        }
        over(Unavailable.unavailable(key, failure));
    }

    private GuardedRelease release(Attempt attempt, boolean copyMayFollow) {
        return GuardedRelease.of(key, attempt.token(), options, copyMayFollow);
    }

    // ---- pauses ---------------------------------------------------------------------------------------------------

    private void wasBusy(Busy busy) {
        lastBusy = busy;
        environment.listener().busyAttempt(options.name(), key.name(), attemptCount);
        if (!cancelled && !toldThatItWaits && mayRetry()) {
            toldThatItWaits = true;
            environment.listener().waiting(options.name(), key.name());
        }
        pause();
    }

    private boolean mayRetry() {
        return options.maxRetries() > 0
                && options.waitAtMost().map(limit -> limit.compareTo(waited()) > 0).orElse(true);
    }

    private void pause() {
        Waiting begun = waiting();
        Throwable stop = stopReason; // after the waiting was made: whoever stops sees it, or is seen here
        if (stop != null) {
            over(stop);
        } else if (!begun.pause(place)) {
            over(lastBusy);
        }
    }

    private void pauseForAnswer() {
        Waiting begun = waiting();
        Throwable stop = stopReason;
        if (stop != null) {
            over(stop);
        } else {
            begun.pauseForAnswer(place);
        }
    }

    private Waiting waiting() {
        Waiting existing = waiting;
        if (existing == null) {
            existing = new Waiting(options, environment.clock(), startNanos, this);
            waiting = existing;
        }
        return existing;
    }

    @Override
    public void woken() {
        endPause(Waiting.End.WOKEN);
        // Without a pause it may still be joining the queue, with its place not set yet.
        if (waiting != null && place.answer() != null) {
            answered(); // it is on its way, and what follows it is an attempt
        }
    }

    @Override
    public void promoted() {
        endPause(Waiting.End.PROMOTED);
    }

    @Override
    public void answered() {
        endPause(Waiting.End.ANSWERED);
    }

    private void endPause(Waiting.End how) {
        Waiting begun = waiting;
        if (begun != null) {
            begun.end(how);
        }
    }

    @Override
    public void onEnd(Waiting.End end) {
        switch (end) {
            case SCHEDULED, WOKEN -> attempt();
            case PROMOTED -> pause();
            case ANSWERED -> shared(place.answer());
            case OUT_OF_TIME -> over(Unavailable.unavailable(key, "Redis did not answer another caller within "
                    + options.commandTimeout().toMillis() + " ms", false));
            case STOPPED -> over(Objects.requireNonNull(stopReason, "stopped"));
        }
    }

    /** What the attempt of another has come to. */
    private void shared(@Nullable Throwable outcome) {
        if (outcome == null) {
            pauseForAnswer(); // the news were of the attempt that was shared before
        } else if (outcome instanceof Busy busy) {
            wasBusy(busy);
        } else if (outcome instanceof FencedAttemptFailed && !options.isFenced()) {
            attempt();
        } else if (outcome instanceof StoreFailure || outcome instanceof FencedAttemptFailed) {
            over(Unavailable.unavailable(key, "another caller's attempt failed: " + outcome.getMessage(), false));
        } else {
            over(outcome);
        }
    }

    // ---- the end --------------------------------------------------------------------------------------------------

    private void over(Throwable failure) {
        Throwable outcome = outcome(failure);
        ended();
        if (emptyWhenBusy && outcome instanceof LockNotAcquiredException) {
            subscriber().onComplete();
        } else {
            subscriber().onError(outcome);
        }
    }

    private Throwable outcome(Throwable failure) {
        if (cancelled) {
            environment.listener().abandoned(options.name(), key.name(), waited());
            return failure;
        }
        if (failure instanceof Busy busy) {
            environment.listener().notAcquired(options.name(), key.name(), waited(), attemptCount);
            return new LockNotAcquiredException(key.name(), attemptCount, waited(), busy.holderRemaining());
        }
        if (failure instanceof LockUnavailableException unavailable) {
            environment.listener().unavailable(options.name(), key.name(), waited(), unavailable);
        }
        return failure;
    }

    private void ended() {
        place.leave();
        if (toldThatItWaits) {
            environment.listener().waitEnded(options.name(), key.name());
        }
        environment.openWork().end(this);
    }

    private Duration waited() {
        return Duration.ofNanos(environment.clock().nanoTime() - startNanos);
    }
}
