package io.redislock.reactor;

import io.redislock.lease.Validity;
import io.redislock.protocol.AcquireReply;
import io.redislock.protocol.OwnerToken;
import io.redislock.reactor.store.Answer;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.util.context.Context;

/** One command of an {@link Acquisition}, with a token and a deadline of its own. */
final class Attempt implements CoreSubscriber<Answer<AcquireReply>> {

    private final Acquisition acquisition;
    private final OwnerToken token;
    private final Validity validity;

    /**
     * @param token a fresh one: the background release of a failed attempt must not touch the next one
     * @param validity of a command sent now
     */
    Attempt(Acquisition acquisition, OwnerToken token, Validity validity) {
        this.acquisition = acquisition;
        this.token = token;
        this.validity = validity;
    }

    OwnerToken token() {
        return token;
    }

    Validity validity() {
        return validity;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(Answer<AcquireReply> answer) {
        acquisition.answered(this, answer);
    }

    @Override
    public void onError(Throwable failure) {
        acquisition.failed(this, failure);
    }

    @Override
    public void onComplete() {
        // after the answer
    }

    @Override
    public Context currentContext() {
        return acquisition.context();
    }
}
