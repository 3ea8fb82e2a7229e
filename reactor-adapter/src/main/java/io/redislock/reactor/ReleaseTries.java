package io.redislock.reactor;

import java.time.Duration;

import io.redislock.lease.LeaseClock;
import io.redislock.protocol.OwnedReply;
import io.redislock.reactor.store.Answer;
import io.redislock.reactor.store.LockStore;
import io.redislock.reactor.store.StoreFailure;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.retry.Retry;

/**
 * The tries of one release, until Redis answers or the key would have expired anyway. Mostly the first one is answered;
 * it is an operator written out, because every release pays for it. The others are Reactor's.
 */
abstract class ReleaseTries implements CoreSubscriber<Answer<OwnedReply>> {

    private static final Duration FIRST_DELAY = Duration.ofMillis(50);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(1);

    private final LockStore store;
    private final LeaseClock clock;
    private final OpenWork openWork;
    private final GuardedRelease release;
    private final Context context;
    private long giveUpAt;
    private boolean done;
    private boolean begun;
    private boolean earlierMayHaveRun;

    /** @param context what the commands see */
    ReleaseTries(LockEnvironment environment, GuardedRelease release, Context context) {
        this.store = environment.store();
        this.clock = environment.clock();
        this.openWork = environment.openWork();
        this.release = release;
        this.context = context;
    }

    /** There is an answer; {@link Answer#resent()} also when an earlier try may have run. */
    abstract void answered(Answer<OwnedReply> answer);

    /** A try got no answer. */
    abstract void failed(StoreFailure failure);

    /** There was no answer until the key would have expired, or the time to close is up. */
    abstract void givenUp(Throwable lastFailure);

    final void start() {
        giveUpAt = clock.nanoTime() + release.keyLife().toNanos();
        send().subscribe(this);
    }

    final GuardedRelease release() {
        return release;
    }

    @Override
    public final Context currentContext() {
        return context;
    }

    @Override
    public final void onSubscribe(Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public final void onNext(Answer<OwnedReply> answer) {
        done = true;
        answered(answer);
    }

    @Override
    public final void onError(Throwable failure) {
        if (failure instanceof StoreFailure first) {
            again(first);
        } else {
            givenUp(failure);
        }
    }

    @Override
    public final void onComplete() {
        if (!done) {
            givenUp(new IllegalStateException("A release completed without an answer"));
        }
    }

    private Mono<Answer<OwnedReply>> send() {
        return store.release(release.key(), release.value(), release.timeout());
    }

    private void again(StoreFailure first) {
        Mono.defer(() -> {
                    if (begun) {
                        return send();
                    }
                    begun = true;
                    return Mono.error(first);
                })
                .doOnError(StoreFailure.class, failure -> {
                    earlierMayHaveRun |= failure.outcomeUnknown();
                    failed(failure);
                })
                .retryWhen(Retry.backoff(Long.MAX_VALUE, FIRST_DELAY)
                        .maxBackoff(LONGEST_DELAY)
                        .filter(failure -> failure instanceof StoreFailure && !openWork.isOver()
                                && clock.nanoTime() - giveUpAt < 0))
                .contextWrite(context)
                .subscribe(answer -> answered(new Answer<>(answer.reply(), answer.resent() || earlierMayHaveRun)),
                        this::givenUp);
    }
}
