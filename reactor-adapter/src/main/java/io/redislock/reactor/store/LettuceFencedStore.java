package io.redislock.reactor.store;

import java.time.Duration;
import java.util.List;

import io.lettuce.core.api.StatefulRedisConnection;
import io.redislock.protocol.DestinationKey;
import io.redislock.protocol.FencedReply;
import io.redislock.protocol.LockScript;
import reactor.core.publisher.Mono;

/**
 * Fenced writes to one Redis, or the master behind a Sentinel, over a connection that is the library's own. Every
 * {@code Mono} sends one command when it is subscribed to, and fails and is cancelled as those of {@link LockStore}
 * are.
 */
public final class LettuceFencedStore {

    private final StatefulRedisConnection<String, String> connection;
    private final Outbox outbox;

    /**
     * @param connection used by this store alone, and closed by it
     */
    public LettuceFencedStore(StatefulRedisConnection<String, String> connection) {
        this.connection = connection;
        this.outbox = new Outbox(connection);
    }

    /** Sets the key unless a greater fencing token was accepted before. */
    public Mono<FencedReply> set(DestinationKey key, String value, long token, Duration timeout) {
        return script(LockScript.SET_FENCED, key, timeout, Long.toString(token), value);
    }

    /** Deletes the key unless a greater fencing token was accepted before. */
    public Mono<FencedReply> delete(DestinationKey key, long token, Duration timeout) {
        return script(LockScript.DELETE_FENCED, key, timeout, Long.toString(token));
    }

    /** Closes the connection, completes when that is done. Commands in flight and later ones fail. Idempotent. */
    public Mono<Void> close() {
        return Mono.fromFuture(connection::closeAsync, true).doOnTerminate(outbox.timeouts()::close);
    }

    private Mono<FencedReply> script(LockScript script, DestinationKey key, Duration timeout, String... values) {
        return new StoreCall<>(outbox, StoreRequest.script(script, key.onTheWire(),
                List.of(key.companion(), key.companionOfALock()), values), FencedReply::parse, timeout)
                .map(Answer::reply);
    }
}
