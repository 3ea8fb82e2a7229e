package io.redislock.reactor;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import io.redislock.lease.Expiry;
import io.redislock.lease.Validity;
import io.redislock.protocol.OwnedReply;
import io.redislock.reactor.store.StoreFailure;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** The handle: a lease with its local validity. */
final class LeasedLock implements RedisLock {

    private final LockEnvironment environment;
    private final Releases releases;
    private final GuardedRelease giveBack;
    /** {@code null} once it is released, or known to be no longer ours. */
    private final AtomicReference<@Nullable Validity> validity;
    private final AtomicReference<@Nullable ReleaseOnce> release = new AtomicReference<>();

    /**
     * @param giveBack how to release it; carries the key and the owner value
     */
    LeasedLock(LockEnvironment environment, Releases releases, GuardedRelease giveBack, Validity validity) {
        this.environment = environment;
        this.releases = releases;
        this.giveBack = giveBack;
        this.validity = new AtomicReference<>(validity);
    }

    @Override
    public String key() {
        return giveBack.key().name();
    }

    @Override
    public String value() {
        return giveBack.value();
    }

    @Override
    public boolean isAcquired() {
        Validity current = validity.get();
        return current != null && !current.isOver(environment.clock());
    }

    @Override
    public Duration remaining() {
        Validity current = validity.get();
        return current == null ? Duration.ZERO : current.remaining(environment.clock());
    }

    @Override
    public Mono<Boolean> extend(Duration expiry) {
        Duration asked = Expiry.onTheWire("expiry", expiry);
        return environment.scheduled(Mono.deferContextual(context -> extend(asked, context)));
    }

    private Mono<Boolean> extend(Duration expiry, ContextView context) {
        if (!isAcquired()) {
            return Mono.just(false);
        }
        Validity ifDone = Validity.ofCommandSentNow(environment.clock(), expiry);
        return environment.store().prolong(giveBack.key(), giveBack.value(), expiry, giveBack.timeout())
                .map(answer -> answer.reply() == OwnedReply.DONE ? extended(ifDone, expiry, context) : noLongerOurs())
                .onErrorMap(StoreFailure.class, failure -> Unavailable.unavailable(giveBack.key(), failure));
    }

    private boolean extended(Validity ifDone, Duration expiry, ContextView context) {
        Validity current;
        do {
            current = validity.get();
            if (current == null) {
                return false;
            }
            if (current.isOver(environment.clock())) {
                // Believed lost already, and the server has just prolonged it: nobody would release it.
                validity.set(null);
                releases.inBackground(giveBack.withKeyLife(expiry), context);
                return false;
            }
        } while (!validity.compareAndSet(current, current.later(ifDone, environment.clock())));
        return true;
    }

    private boolean noLongerOurs() {
        validity.set(null);
        return false;
    }

    @Override
    public Mono<Boolean> release() {
        return environment.scheduled(Mono.deferContextual(this::releaseOnce)).onErrorReturn(false);
    }

    private Mono<Boolean> releaseOnce(ContextView context) {
        ReleaseOnce earlier = release.get();
        if (earlier != null) {
            return earlier.outcome();
        }
        Validity last = validity.get();
        Duration left = last == null ? Duration.ZERO : last.remaining(environment.clock());
        ReleaseOnce fresh = new ReleaseOnce(releases, left.compareTo(giveBack.keyLife()) > 0
                ? giveBack.withKeyLife(left) : giveBack);
        if (release.compareAndSet(null, fresh)) {
            validity.set(null);
            fresh.start(context);
            return fresh.outcome();
        }
        return releaseOnce(context);
    }

    /** Gives back a lock that nobody took. */
    void abandon(ContextView context) {
        releaseOnce(context).subscribe();
    }

    @Override
    public String toString() {
        return "RedisLock[key=" + key() + ", value=" + value() + ", remaining=" + remaining() + ']';
    }
}
