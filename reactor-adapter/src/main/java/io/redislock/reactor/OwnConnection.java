package io.redislock.reactor;

import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/** A connection of the library's own, opened through the user's client. */
final class OwnConnection {

    private final RedisClient client;
    private final @Nullable RedisURI uri;

    /** @param uri {@code null} for the address that the client was made for */
    OwnConnection(RedisClient client, @Nullable RedisURI uri) {
        this.client = Objects.requireNonNull(client, "client");
        this.uri = uri;
    }

    /** Opens it now and blocks for it. */
    <T> T open(Supplier<Function<StatefulRedisConnection<String, String>, T>> preparing) {
        Function<StatefulRedisConnection<String, String>, T> making = prepared(preparing);
        return making.apply(uri == null ? client.connect(StringCodec.UTF8) : client.connect(StringCodec.UTF8, uri));
    }

    /**
     * Opens it when subscribed to, without blocking the subscriber.
     *
     * @param preparing may block for a moment
     * @param closing what to do with what comes up after a cancel: a {@link Handover} of this instead of a lock
     */
    <T> Mono<T> opening(Supplier<Function<StatefulRedisConnection<String, String>, T>> preparing, Consumer<T> closing,
            @Nullable Scheduler scheduler) {
        return new Handover<>(() -> new Handover.Source<>() {

            @Override
            public Mono<T> run() {
                return Mono.fromCallable(() -> prepared(preparing))
                        .subscribeOn(Schedulers.boundedElastic())
                        .flatMap(making -> connection().map(making));
            }

            @Override
            public void abandon(T unwanted, ContextView context) {
                closing.accept(unwanted);
            }
        }, scheduler);
    }

    /** The user's client may ask for its signals off the event loop; then that is where they go. */
    @Nullable Scheduler signalScheduler() {
        return client.getOptions().isPublishOnScheduler()
                ? Schedulers.fromExecutorService(client.getResources().eventExecutorGroup()) : null;
    }

    private <T> T prepared(Supplier<T> preparing) {
        if (!client.getOptions().isAutoReconnect()) {
            throw new IllegalArgumentException("client must have auto-reconnect switched on "
                    + "(ClientOptions.autoReconnect): without it the first broken connection would be the last, "
                    + "and no lock could be released any more");
        }
        return preparing.get();
    }

    private Mono<StatefulRedisConnection<String, String>> connection() {
        // The client's own address is known to its blocking connect alone, and this runs where blocking is allowed.
        return uri == null
                ? Mono.fromCallable(() -> client.connect(StringCodec.UTF8))
                : Mono.fromCompletionStage(() -> client.connectAsync(StringCodec.UTF8, uri));
    }
}
