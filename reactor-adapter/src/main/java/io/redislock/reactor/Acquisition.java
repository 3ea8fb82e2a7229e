package io.redislock.reactor;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import io.redislock.LockNotAcquiredException;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import io.redislock.lease.Validity;
import io.redislock.protocol.AcquireReply;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.OwnerToken;
import io.redislock.reactor.store.Answer;
import io.redislock.reactor.store.StoreFailure;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.SynchronousSink;
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
    /** Fails when no further attempt is to be made. */
    private final Sinks.Empty<Void> stop = Sinks.empty();
    private final AtomicBoolean waiting = new AtomicBoolean();
    private final Place place;
    private final WaitSchedule schedule;
    private volatile boolean cancelled;
    private long attempts;

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
        this.schedule = new WaitSchedule(options, environment.clock(), startNanos, stop.asMono(), place::woken);
    }

    @Override
    public Mono<RedisLock> run() {
        Mono<RedisLock> attempts = Mono.deferContextual(this::attempt)
                .retryWhen(schedule)
                .onErrorMap(this::outcome)
                .doOnSubscribe(subscription -> environment.openWork().begin(this))
                .doOnTerminate(this::ended);
        return emptyWhenBusy
                ? attempts.onErrorResume(LockNotAcquiredException.class, busy -> Mono.empty()) : attempts;
    }

    /** Nobody waits for the lock any more: a pending delay is cut short, an attempt in flight is the last. */
    @Override
    public void cancelled() {
        cancelled = true;
        stop.tryEmitError(new Busy(null));
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
        stop.tryEmitError(Unavailable.closed(key));
    }

    private Mono<RedisLock> attempt(ContextView context) {
        if (environment.openWork().isClosed()) {
            return Mono.error(Unavailable.closed(key));
        }
        attempts++;
        Mono<RedisLock> instead = place.turn().instead();
        return instead == null ? sent(context) : notSent(instead);
    }

    private Mono<RedisLock> sent(ContextView context) {
        // A fresh token each time: the background release of a failed attempt must not touch the next one.
        OwnerToken token = environment.tokens().next();
        Validity validity = Validity.ofCommandSentNow(environment.clock(), options.expiry());
        return environment.store().acquire(key, token, options.expiry(), options.commandTimeout())
                .<RedisLock>handle((answer, sink) -> decide(answer, token, validity, context, sink))
                .doOnError(failure -> !(failure instanceof Busy), place::failed)
                .onErrorMap(StoreFailure.class, failure -> {
                    releases.afterFailedAttempt(release(token, true), failure, context);
                    return Unavailable.unavailable(key, failure);
                });
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
        return Mono.firstWithSignal(outcome, stop.asMono().then(Mono.empty()));
    }

    private void decide(Answer<AcquireReply> answer, OwnerToken token, Validity validity, ContextView context,
            SynchronousSink<RedisLock> sink) {
        boolean acquired = answer.reply().acquired();
        GuardedRelease release = release(token, answer.resent());
        boolean closed = environment.openWork().isClosed();
        if (acquired && !closed && !validity.isOver(environment.clock())) {
            HeldLease held = new HeldLease(environment, releases, release, options, validity);
            environment.listener().acquired(options.name(), key.name(), waited(), attempts);
            held.begin();
            place.acquired();
            sink.next(new LeasedLock(held));
            return;
        }
        if (acquired || answer.resent()) {
            // Too late to be believed, or busy although an earlier copy may still run.
            releases.inBackground(release, context);
        }
        if (closed) {
            sink.error(Unavailable.closed(key));
            return;
        }
        Busy busy = new Busy(answer.reply().holderRemaining());
        onBusy(busy);
        place.busy(busy);
        sink.error(busy);
    }

    private void onBusy(Busy busy) {
        environment.listener().busyAttempt(options.name(), key.name(), attempts);
        if (!cancelled && mayRetry() && waiting.compareAndSet(false, true)) {
            environment.listener().waiting(options.name(), key.name());
        }
    }

    private boolean mayRetry() {
        return options.maxRetries() > 0
                && options.waitAtMost().map(limit -> limit.compareTo(waited()) > 0).orElse(true);
    }

    private GuardedRelease release(OwnerToken token, boolean copyMayFollow) {
        return GuardedRelease.of(key, token, options, copyMayFollow);
    }

    private Throwable outcome(Throwable failure) {
        if (cancelled) {
            environment.listener().abandoned(options.name(), key.name(), waited());
            return failure;
        }
        if (failure instanceof Busy busy) {
            environment.listener().notAcquired(options.name(), key.name(), waited(), attempts);
            return new LockNotAcquiredException(key.name(), attempts, waited(), busy.holderRemaining());
        }
        if (failure instanceof LockUnavailableException unavailable) {
            environment.listener().unavailable(options.name(), key.name(), waited(), unavailable);
        }
        return failure;
    }

    private void ended() {
        place.leave();
        schedule.dispose();
        if (waiting.get()) {
            environment.listener().waitEnded(options.name(), key.name());
        }
        environment.openWork().end(this);
    }

    private Duration waited() {
        return Duration.ofNanos(environment.clock().nanoTime() - startNanos);
    }
}
