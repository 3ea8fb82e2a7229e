package io.redislock.reactor;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.OptionalLong;

import io.redislock.LockLoss;
import io.redislock.LockState;
import io.redislock.lease.Expiry;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** The handle. What it returns keeps it reachable, because a lease whose handle is gone is no longer renewed. */
final class LeasedLock implements RedisLock {

    private final HeldLease held;

    LeasedLock(HeldLease held) {
        this.held = held;
    }

    /** Somebody has it now. */
    void onDelivered(ContextView context) {
        held.onDelivered(this, context);
    }

    /** Gives back a lock that nobody took. */
    void abandon(ContextView context) {
        held.releaseNow(context);
    }

    /** The release with all that is known of it. */
    Mono<ReleaseOutcome> releaseOutcome() {
        Mono<ReleaseOutcome> outcome = new SubscribedFirst<>(context -> held().release(context));
        return held.environment().scheduler() == null ? outcome
                : held.environment().scheduled(outcome).onErrorReturn(ReleaseOutcome.UNANSWERED);
    }

    @Override
    public String key() {
        return held.key();
    }

    @Override
    public String value() {
        return held.giveBack().value();
    }

    @Override
    public OptionalLong fencingToken() {
        return held.options().isFenced() ? OptionalLong.of(held.fencingToken()) : OptionalLong.empty();
    }

    @Override
    public boolean isAcquired() {
        return held.lease().isHeld();
    }

    @Override
    public LockState state() {
        return held.state();
    }

    @Override
    public Duration remaining() {
        return held.lease().remaining();
    }

    @Override
    public Mono<Boolean> extend(Duration expiry) {
        Duration asked = Expiry.onTheWire("expiry", expiry);
        return held.environment().scheduled(keepingMe(new SubscribedFirst<>(context ->
                held.extend(asked, held.giveBack().timeout(), false, context))));
    }

    @Override
    public Mono<Boolean> release() {
        return releaseOutcome().map(outcome -> outcome == ReleaseOutcome.DELETED);
    }

    @Override
    public Mono<LockLoss> lost() {
        return held.environment().scheduled(keepingMe(Mono.defer(held::lost)));
    }

    /** Whoever listens has the handle, too: the listener's own subscriber points to it until the end. */
    private <T> Mono<T> keepingMe(Mono<T> signals) {
        return signals.doFinally(end -> Reference.reachabilityFence(this));
    }

    HeldLease held() {
        return held;
    }

    @Override
    public String toString() {
        return "RedisLock[key=" + key() + ", value=" + value()
                + (held.options().isFenced() ? ", fencingToken=" + held.fencingToken() : "")
                + ", state=" + state() + ", remaining=" + remaining() + ']';
    }
}
