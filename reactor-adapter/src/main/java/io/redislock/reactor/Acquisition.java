package io.redislock.reactor;

import java.time.Duration;

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
import reactor.util.context.ContextView;

/**
 * One subscription's way to a lock: attempts, each with a token and a deadline of its own, until one succeeds or the
 * schedule ends.
 */
final class Acquisition implements Handover.Source<RedisLock>, OpenWork.Item {

    private final LockEnvironment environment;
    private final Releases releases;
    private final LockKey key;
    private final LockOptions options;
    private final boolean emptyWhenBusy;
    private final long startNanos;
    /** Told when no further attempt is to be made. */
    private final Late<Boolean> stop = new Late<>();
    private volatile boolean waiting;
    private final Place place;
    private @Nullable WaitSchedule schedule;
    private volatile boolean cancelled;
    private final Mono<RedisLock> attempts = new Mono<>() {
        @Override
        public void subscribe(CoreSubscriber<? super RedisLock> actual) {
            attempt(actual);
        }
    };
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
        this.place = environment.queues().join(key, options.retryDelay());
    }

    /** The first attempt, which mostly is the only one, and what follows when it is busy. */
    @Override
    public Mono<RedisLock> run() {
        environment.openWork().begin(this);
        return attempts.onErrorResume(failure -> failure instanceof Busy ? retried(failure) : ended(failure));
    }

    private Mono<RedisLock> retried(Throwable firstFailure) {
        WaitSchedule until = new WaitSchedule(options, environment.clock(), startNanos, stop, place::woken);
        schedule = until;
        boolean[] begun = {false};
        return Mono.defer(() -> {
                    if (begun[0]) {
                        return attempts;
                    }
                    begun[0] = true;
                    return Mono.error(firstFailure);
                })
                .retryWhen(until)
                .onErrorResume(this::ended);
    }

    /** Nobody waits for the lock any more: a pending delay is cut short, an attempt in flight is the last. */
    @Override
    public void cancelled() {
        cancelled = true;
        stop.error(new Busy(null));
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
        stop.error(Unavailable.closed(key));
    }

    private void attempt(CoreSubscriber<? super RedisLock> actual) {
        if (environment.openWork().isClosed()) {
            Operators.error(actual, Unavailable.closed(key));
            return;
        }
        attemptCount++;
        Mono<RedisLock> instead = place.turn().instead();
        if (instead != null) {
            notSent(instead).subscribe(actual);
            return;
        }
        Attempt attempt = new Attempt(this, environment.tokens().next(),
                Validity.ofCommandSentNow(environment.clock(), options.expiry()), actual);
        environment.store().acquire(key, attempt.token(), options.expiry(), options.commandTimeout())
                .subscribe(attempt);
    }

    /** The first of this key's queue tries, or has tried, for all of them. */
    private Mono<RedisLock> notSent(Mono<RedisLock> instead) {
        Mono<RedisLock> outcome = instead
                .timeout(options.commandTimeout(), Mono.error(() -> Unavailable.unavailable(key,
                        "Redis did not answer another caller within " + options.commandTimeout().toMillis() + " ms",
                        false)))
                .onErrorMap(StoreFailure.class, failure ->
                        Unavailable.unavailable(key, "another caller's attempt failed: " + failure.getMessage(), false))
                .doOnError(Busy.class, this::onBusy);
        return Mono.firstWithSignal(outcome, stop.mono().then(Mono.empty()));
    }

    /** The lock, if the answer gives it; {@code null} else. */
    @Nullable RedisLock taken(Attempt attempt, Answer<AcquireReply> answer) {
        if (!answer.reply().acquired() || environment.openWork().isClosed()
                || attempt.validity().isOver(environment.clock())) {
            return null;
        }
        HeldLease held = new HeldLease(environment, releases, release(attempt, answer.resent()), options,
                attempt.validity());
        environment.listener().acquired(options.name(), key.name(), waited(), attemptCount);
        held.begin();
        place.acquired();
        ended();
        return new LeasedLock(held);
    }

    /** Why the answer does not give the lock. */
    Throwable notTaken(Attempt attempt, Answer<AcquireReply> answer) {
        if (answer.reply().acquired() || answer.resent()) {
            // Too late to be believed, or busy although an earlier copy may still run.
            releases.inBackground(release(attempt, answer.resent()), attempt.currentContext());
        }
        if (environment.openWork().isClosed()) {
            return Unavailable.closed(key);
        }
        Busy busy = new Busy(answer.reply().holderRemaining());
        onBusy(busy);
        place.busy(busy);
        return busy;
    }

    /** There was no answer. Returns what the caller is told. */
    Throwable failed(Attempt attempt, Throwable failure) {
        place.failed(failure);
        if (failure instanceof StoreFailure store) {
            releases.afterFailedAttempt(release(attempt, true), store, attempt.currentContext());
        }
        return Unavailable.unavailable(key, failure);
    }

    private void onBusy(Busy busy) {
        environment.listener().busyAttempt(options.name(), key.name(), attemptCount);
        if (!cancelled && mayRetry() && !waiting) {
            waiting = true;
            environment.listener().waiting(options.name(), key.name());
        }
    }

    private boolean mayRetry() {
        return options.maxRetries() > 0
                && options.waitAtMost().map(limit -> limit.compareTo(waited()) > 0).orElse(true);
    }

    private GuardedRelease release(Attempt attempt, boolean copyMayFollow) {
        return GuardedRelease.of(key, attempt.token(), options, copyMayFollow);
    }

    /** The acquisition ends without a lock. */
    private Mono<RedisLock> ended(Throwable failure) {
        Throwable outcome = outcome(failure);
        ended();
        return emptyWhenBusy && outcome instanceof LockNotAcquiredException ? Mono.empty() : Mono.error(outcome);
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
        WaitSchedule waited = schedule;
        if (waited != null) {
            waited.dispose();
        }
        if (waiting) {
            environment.listener().waitEnded(options.name(), key.name());
        }
        environment.openWork().end(this);
    }

    private Duration waited() {
        return Duration.ofNanos(environment.clock().nanoTime() - startNanos);
    }
}
