package io.redislock.reactor.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

import io.lettuce.core.api.StatefulRedisConnection;
import io.redislock.protocol.AcquireReply;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.LockScript;
import io.redislock.protocol.OwnedReply;
import io.redislock.protocol.OwnerToken;
import io.redislock.protocol.TakeReply;
import reactor.core.publisher.Mono;

/**
 * One Redis, or the master behind a Sentinel, over one connection that is the library's own: what is sent in order runs
 * in order.
 */
public final class LettuceLockStore implements LockStore {

    private final StatefulRedisConnection<String, String> connection;
    private final Outbox outbox;

    /**
     * @param connection used by this store alone, and closed by it
     */
    public LettuceLockStore(StatefulRedisConnection<String, String> connection) {
        this.connection = connection;
        this.outbox = new Outbox(connection);
    }

    @Override
    public void watch(KeyWatcher watcher) {
        Tracking.start(connection, outbox, watcher);
    }

    @Override
    public Mono<Answer<AcquireReply>> acquire(LockKey key, OwnerToken token, Duration expiry, Duration timeout) {
        return script(LockScript.ACQUIRE, AcquireReply::parse, timeout, key, token.value(), millis(expiry));
    }

    @Override
    public Mono<Answer<TakeReply>> take(LockKey key, String value, Duration expiry, Duration timeout) {
        return script(LockScript.TAKE, TakeReply::parse, timeout, key, value, millis(expiry));
    }

    @Override
    public Mono<Answer<OwnedReply>> release(LockKey key, String value, Duration timeout) {
        return script(LockScript.RELEASE, OwnedReply::parse, timeout, key, value);
    }

    @Override
    public Mono<Answer<OwnedReply>> extend(LockKey key, String value, Duration expiry, Duration timeout) {
        return script(LockScript.EXTEND, OwnedReply::parse, timeout, key, value, millis(expiry));
    }

    @Override
    public Mono<Answer<OwnedReply>> prolong(LockKey key, String value, Duration expiry, Duration timeout) {
        return script(LockScript.PROLONG, OwnedReply::parse, timeout, key, value, millis(expiry));
    }

    @Override
    public Mono<Answer<AcquireReply>> acquireFenced(LockKey key, OwnerToken token, Duration expiry, Duration retention,
            Duration timeout) {
        return fenced(LockScript.ACQUIRE_FENCED, AcquireReply::parse, timeout, key, token.value(), millis(expiry),
                millis(retention));
    }

    @Override
    public Mono<Answer<OwnedReply>> prolongFenced(LockKey key, String value, long fencingToken, Duration expiry,
            Duration retention, Duration timeout) {
        return fenced(LockScript.PROLONG_FENCED, OwnedReply::parse, timeout, key, value, millis(expiry),
                millis(retention), Long.toString(fencingToken));
    }

    @Override
    public Optional<String> whyNoFencingTokens() {
        return Optional.empty();
    }

    @Override
    public Mono<String> query(LockKey key, Duration timeout) {
        return new StoreCall<>(outbox, StoreRequest.get(key), value -> value, timeout).map(Answer::reply);
    }

    @Override
    public void together(Runnable sending) {
        outbox.together(sending);
    }

    @Override
    public Mono<Void> close() {
        return Mono.fromFuture(connection::closeAsync, true).doOnTerminate(outbox.timeouts()::close);
    }

    private <T> Mono<Answer<T>> script(LockScript script, LongFunction<T> parser, Duration timeout, LockKey key,
            String... values) {
        return new StoreCall<>(outbox, StoreRequest.script(script, key.onTheWire(), values), parser::apply, timeout);
    }

    private <T> Mono<Answer<T>> fenced(LockScript script, LongFunction<T> parser, Duration timeout, LockKey key,
            String... values) {
        return new StoreCall<>(outbox, StoreRequest.script(script, key.onTheWire(), List.of(key.companion()), values),
                parser::apply, timeout);
    }

    private static String millis(Duration expiry) {
        return Long.toString(expiry.toMillis());
    }
}
