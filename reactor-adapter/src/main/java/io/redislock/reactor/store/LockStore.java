package io.redislock.reactor.store;

import java.time.Duration;
import java.util.Optional;

import io.redislock.protocol.AcquireReply;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.OwnedReply;
import io.redislock.protocol.OwnerToken;
import io.redislock.protocol.TakeReply;
import reactor.core.publisher.Mono;

/**
 * Where locks are kept: the few commands that everything else is made of.
 *
 * <p>Every {@code Mono} sends one command when it is subscribed to, and emits one {@link Answer}. When there
 * is no answer within the timeout, or an error, it fails with a {@link StoreFailure}, which knows whether the command
 * may have run. Commands that are sent one after the other run in that order, unless one had to be sent again.
 *
 * <p>Cancelling withdraws a command that was not written yet: it is never sent. A written one runs on, and its answer
 * is dropped: whoever needs it must not cancel.
 */
public interface LockStore {

    /**
     * Lets somebody know what others do to the keys that {@link #acquire}, {@link #acquireFenced},
     * {@link #take}, {@link #extend}, {@link #prolong}, {@link #prolongFenced} and {@link #query} have read or left
     * behind. To be called once, before the first command.
     */
    void watch(KeyWatcher watcher);

    /** Runs something that sends several commands, which should travel together where that is possible. */
    default void together(Runnable sending) {
        sending.run();
    }

    /** Takes the key for the token if it is absent or holds this token already. */
    Mono<Answer<AcquireReply>> acquire(LockKey key, OwnerToken token, Duration expiry, Duration timeout);

    /** Takes the key for the value if it is absent. */
    Mono<Answer<TakeReply>> take(LockKey key, String value, Duration expiry, Duration timeout);

    /** Deletes the key if it holds the value. */
    Mono<Answer<OwnedReply>> release(LockKey key, String value, Duration timeout);

    /** Sets the expiry if the key holds the value. */
    Mono<Answer<OwnedReply>> extend(LockKey key, String value, Duration expiry, Duration timeout);

    /** As {@link #extend}, but never shortens. */
    Mono<Answer<OwnedReply>> prolong(LockKey key, String value, Duration expiry, Duration timeout);

    /**
     * As {@link #acquire}, and mints a fencing token: greater than every earlier one for this key.
     *
     * @param retention how long the last one is kept from now on
     */
    Mono<Answer<AcquireReply>> acquireFenced(LockKey key, OwnerToken token, Duration expiry, Duration retention,
            Duration timeout);

    /**
     * As {@link #prolong}, for what {@link #acquireFenced} took.
     *
     * @param retention how long the last fencing token is kept from now on
     */
    Mono<Answer<OwnedReply>> prolongFenced(LockKey key, String value, long fencingToken, Duration expiry,
            Duration retention, Duration timeout);

    /** Why this store cannot mint fencing tokens, as a clause for a message; empty when it can. */
    Optional<String> whyNoFencingTokens();

    /** The value that the key holds; empty when there is none. */
    Mono<String> query(LockKey key, Duration timeout);

    /**
     * Closes what the store opened, completes when that is done. Commands in flight and later ones fail. Idempotent.
     */
    Mono<Void> close();
}
