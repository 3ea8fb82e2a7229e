package io.redislock.reactor;

import java.time.Duration;
import java.util.function.Function;

import io.lettuce.core.api.StatefulRedisConnection;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import io.redislock.protocol.DestinationKey;
import io.redislock.protocol.FencedReply;
import io.redislock.protocol.FencingTokens;
import io.redislock.protocol.LockScript;
import io.redislock.protocol.WireText;
import io.redislock.reactor.store.LettuceFencedStore;
import io.redislock.reactor.store.StoreFailure;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Fenced writes to a store: checks arguments and tells failures. */
final class StoreFencedWrites implements FencedWrites {

    private static final Duration TIMEOUT = LockOptions.defaults().commandTimeout();

    private final LettuceFencedStore store;
    private final @Nullable Scheduler scheduler;
    private final Mono<Void> closing;

    private StoreFencedWrites(LettuceFencedStore store, @Nullable Scheduler scheduler) {
        this.store = store;
        this.scheduler = scheduler;
        this.closing = store.close().cache();
    }

    static FencedWrites on(OwnConnection connection) {
        return connection.open(() -> preparing(connection));
    }

    static Mono<FencedWrites> connecting(OwnConnection connection) {
        return connection.opening(() -> preparing(connection), unwanted -> unwanted.close().subscribe(), null);
    }

    /** Reads the scripts. */
    private static Function<StatefulRedisConnection<String, String>, FencedWrites> preparing(OwnConnection own) {
        LockScript.values();
        return connection -> new StoreFencedWrites(new LettuceFencedStore(connection), own.signalScheduler());
    }

    @Override
    public Mono<Boolean> set(String key, String value, long token) {
        DestinationKey destination = DestinationKey.of(key);
        WireText.requireEncodableOrEmpty("value", value);
        FencingTokens.require("token", token);
        return accepted(destination, store.set(destination, value, token, TIMEOUT));
    }

    @Override
    public Mono<Boolean> delete(String key, long token) {
        DestinationKey destination = DestinationKey.of(key);
        FencingTokens.require("token", token);
        return accepted(destination, store.delete(destination, token, TIMEOUT));
    }

    @Override
    public Mono<Void> close() {
        return closing;
    }

    private Mono<Boolean> accepted(DestinationKey destination, Mono<FencedReply> writing) {
        Mono<Boolean> accepted = writing.map(reply -> reply == FencedReply.ACCEPTED)
                .onErrorMap(StoreFailure.class, failure -> unavailable(destination, failure));
        return scheduler == null ? accepted : accepted.publishOn(scheduler);
    }

    private static Throwable unavailable(DestinationKey destination, StoreFailure failure) {
        String message = "The write to " + WireText.shown(destination.onTheWire()) + " failed: " + failure.getMessage();
        return new LockUnavailableException(destination.onTheWire(), message, failure.getCause(),
                failure.outcomeUnknown());
    }
}
