package io.redislock.reactor;

import java.time.Duration;
import java.util.Optional;

import io.redislock.protocol.AcquireReply;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.OwnedReply;
import io.redislock.protocol.OwnerToken;
import io.redislock.protocol.TakeReply;
import io.redislock.reactor.store.Answer;
import io.redislock.reactor.store.KeyWatcher;
import io.redislock.reactor.store.LockStore;
import reactor.core.publisher.Mono;

/** A store that notes what each command sees of the trace, under the name of the command. */
record SeeingStore(LockStore store, SeenTrace seen) implements LockStore {

    @Override
    public void watch(KeyWatcher watcher) {
        store.watch(watcher);
    }

    @Override
    public Mono<Answer<AcquireReply>> acquire(LockKey key, OwnerToken token, Duration expiry, Duration timeout) {
        return seen.at("acquire").then(store.acquire(key, token, expiry, timeout));
    }

    @Override
    public Mono<Answer<TakeReply>> take(LockKey key, String value, Duration expiry, Duration timeout) {
        return seen.at("take").then(store.take(key, value, expiry, timeout));
    }

    @Override
    public Mono<Answer<OwnedReply>> release(LockKey key, String value, Duration timeout) {
        return seen.at("release").then(store.release(key, value, timeout));
    }

    @Override
    public Mono<Answer<OwnedReply>> extend(LockKey key, String value, Duration expiry, Duration timeout) {
        return seen.at("extend").then(store.extend(key, value, expiry, timeout));
    }

    @Override
    public Mono<Answer<OwnedReply>> prolong(LockKey key, String value, Duration expiry, Duration timeout) {
        return seen.at("prolong").then(store.prolong(key, value, expiry, timeout));
    }

    @Override
    public Mono<Answer<AcquireReply>> acquireFenced(LockKey key, OwnerToken token, Duration expiry, Duration retention,
            Duration timeout) {
        return seen.at("acquire").then(store.acquireFenced(key, token, expiry, retention, timeout));
    }

    @Override
    public Mono<Answer<OwnedReply>> prolongFenced(LockKey key, String value, long fencingToken, Duration expiry,
            Duration retention, Duration timeout) {
        return seen.at("prolong")
                .then(store.prolongFenced(key, value, fencingToken, expiry, retention, timeout));
    }

    @Override
    public Optional<String> whyNoFencingTokens() {
        return store.whyNoFencingTokens();
    }

    @Override
    public Mono<String> query(LockKey key, Duration timeout) {
        return seen.at("query").then(store.query(key, timeout));
    }

    @Override
    public Mono<Void> close() {
        return store.close();
    }
}
