package io.redislock.reactor;

import java.time.Duration;

import io.redislock.LockOptions;
import io.redislock.protocol.AcquireReply;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.OwnedReply;
import io.redislock.protocol.OwnerToken;
import io.redislock.reactor.store.Answer;
import io.redislock.reactor.store.LockStore;
import reactor.core.publisher.Mono;

/** The commands that differ when a lock has a fencing token: with it, or without. */
final class Fencing {

    /** A day: longer than the clock of a server that is set anew can be believed to be behind. */
    static final Duration DEFAULT_RETENTION = Duration.ofHours(24);

    private final LockStore store;
    private final Duration retention;

    Fencing(LockStore store, Duration retention) {
        this.store = store;
        this.retention = retention;
    }

    /** Refuses options that this store cannot serve. */
    void require(LockOptions options) {
        if (options.isFenced()) {
            store.whyNoFencingTokens().ifPresent(why -> {
                throw new IllegalArgumentException("fenced() cannot be had here: " + why);
            });
        }
    }

    Mono<Answer<AcquireReply>> acquire(LockKey key, OwnerToken token, LockOptions options) {
        Duration expiry = options.expiry();
        return options.isFenced()
                ? store.acquireFenced(key, token, expiry, retention(expiry, options), options.commandTimeout())
                : store.acquire(key, token, expiry, options.commandTimeout());
    }

    Mono<Answer<OwnedReply>> prolong(HeldLease held, Duration expiry, Duration timeout) {
        GuardedRelease ours = held.giveBack();
        return held.options().isFenced()
                ? store.prolongFenced(ours.key(), ours.value(), held.fencingToken(), expiry,
                        retention(expiry, held.options()), timeout)
                : store.prolong(ours.key(), ours.value(), expiry, timeout);
    }

    /** At least twice what this lease may last, so that it outlives it. */
    private Duration retention(Duration expiry, LockOptions options) {
        Duration longest = options.maxHold().filter(maxHold -> maxHold.compareTo(expiry) > 0).orElse(expiry);
        Duration twice = longest.multipliedBy(2);
        return twice.compareTo(retention) > 0 ? twice : retention;
    }
}
