package io.redislock.reactor;

import java.time.Duration;

import io.redislock.LockNotAcquiredException;
import io.redislock.LockOptions;
import io.redislock.lease.Validity;
import io.redislock.protocol.AcquireReply;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.OwnerToken;
import io.redislock.reactor.store.Answer;
import io.redislock.reactor.store.StoreFailure;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SynchronousSink;
import reactor.util.context.ContextView;

/**
 * One subscription's way to a lock: attempts, each with a token and a deadline of its own, until one succeeds or the
 * schedule ends. To be run inside a {@link Handover}, which never cancels it.
 */
final class Acquisition {

    private final LockEnvironment environment;
    private final Releases releases;
    private final LockKey key;
    private final LockOptions options;
    private final long startNanos;
    private long attempts;

    Acquisition(LockEnvironment environment, Releases releases, LockKey key, LockOptions options) {
        this.environment = environment;
        this.releases = releases;
        this.key = key;
        this.options = options;
        this.startNanos = environment.clock().nanoTime();
    }

    /**
     * Emits the lock, or fails with {@link LockNotAcquiredException} or
     * {@link io.redislock.LockUnavailableException}.
     *
     * @param cancelled completes when nobody waits for the lock any more: no further attempt is made
     */
    Mono<RedisLock> run(Mono<Void> cancelled) {
        Mono<Void> stop = Mono.firstWithSignal(
                environment.closed().then(Mono.error(() -> Unavailable.closed(key))),
                cancelled.then(Mono.error(() -> new Busy(null))));
        return Mono.deferContextual(this::attempt)
                .retryWhen(new WaitSchedule(options, environment.clock(), startNanos, stop))
                .onErrorMap(Busy.class, this::notAcquired);
    }

    private Mono<RedisLock> attempt(ContextView context) {
        attempts++;
        // A fresh token each time: the background release of a failed attempt must not touch the next one.
        OwnerToken token = environment.tokens().next();
        Validity validity = Validity.ofCommandSentNow(environment.clock(), options.expiry());
        return environment.store().acquire(key, token, options.expiry(), options.commandTimeout())
                .<RedisLock>handle((answer, sink) -> decide(answer, token, validity, context, sink))
                .onErrorMap(StoreFailure.class, failure -> {
                    releases.afterFailedAttempt(GuardedRelease.of(key, token, options, true), failure, context);
                    return Unavailable.unavailable(key, failure);
                });
    }

    private void decide(Answer<AcquireReply> answer, OwnerToken token, Validity validity, ContextView context,
            SynchronousSink<RedisLock> sink) {
        boolean acquired = answer.reply().acquired();
        if (acquired && !validity.isOver(environment.clock())) {
            GuardedRelease release = GuardedRelease.of(key, token, options, answer.resent());
            sink.next(new LeasedLock(environment, releases, release, validity));
            return;
        }
        if (acquired || answer.resent()) {
            // Too late to be believed, or busy although an earlier copy may still run.
            releases.inBackground(GuardedRelease.of(key, token, options, answer.resent()), context);
        }
        sink.error(new Busy(answer.reply().holderRemaining()));
    }

    private LockNotAcquiredException notAcquired(Busy busy) {
        return new LockNotAcquiredException(key.name(), attempts, waited(), busy.holderRemaining());
    }

    private Duration waited() {
        return Duration.ofNanos(environment.clock().nanoTime() - startNanos);
    }
}
