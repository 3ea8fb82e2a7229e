package io.redislock.reactor;

import java.util.Objects;

import io.redislock.lease.Validity;
import io.redislock.protocol.AcquireReply;
import io.redislock.protocol.OwnerToken;
import io.redislock.reactor.store.Answer;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.util.context.Context;

/**
 * One command of an {@link Acquisition}, with a token and a deadline of its own. An operator written out, because this
 * is what every acquisition pays for.
 */
final class Attempt implements CoreSubscriber<Answer<AcquireReply>> {

    private final Acquisition acquisition;
    private final OwnerToken token;
    private final Validity validity;
    private final CoreSubscriber<? super RedisLock> actual;
    private boolean done;

    /**
     * @param token a fresh one: the background release of a failed attempt must not touch the next one
     * @param validity of a command sent now
     */
    Attempt(Acquisition acquisition, OwnerToken token, Validity validity, CoreSubscriber<? super RedisLock> actual) {
        this.acquisition = acquisition;
        this.token = token;
        this.validity = validity;
        this.actual = actual;
    }

    OwnerToken token() {
        return token;
    }

    Validity validity() {
        return validity;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        actual.onSubscribe(subscription);
    }

    @Override
    public void onNext(Answer<AcquireReply> answer) {
        done = true;
        RedisLock lock = null;
        Throwable failure = null;
        try {
            lock = acquisition.taken(this, answer);
            if (lock == null) {
                failure = acquisition.notTaken(this, answer);
            }
        } catch (Throwable unexpected) {
            Exceptions.throwIfFatal(unexpected);
            failure = acquisition.failed(this, unexpected);
        }
        if (lock != null) {
            actual.onNext(lock);
            actual.onComplete();
        } else {
            actual.onError(Objects.requireNonNull(failure));
        }
    }

    @Override
    public void onError(Throwable failure) {
        done = true;
        actual.onError(acquisition.failed(this, failure));
    }

    @Override
    public void onComplete() {
        if (!done) {
            actual.onComplete();
        }
    }

    @Override
    public Context currentContext() {
        return actual.currentContext();
    }
}
