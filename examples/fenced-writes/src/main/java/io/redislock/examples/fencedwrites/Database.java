package io.redislock.examples.fencedwrites;

import java.util.function.Function;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * A database behind any R2DBC driver. Each use opens a connection and closes it, so in a service let the driver be a
 * pool.
 */
final class Database {

    private final ConnectionFactory driver;
    private final boolean blocks;

    private Database(ConnectionFactory driver) {
        this.driver = driver;
        // H2's driver works on the thread that subscribes, until it is done. Others do not.
        this.blocks = driver.getMetadata().getName().equals("H2");
    }

    /** @param url {@code r2dbc:driver://user:password@host:port/database} */
    static Database at(String url) {
        return new Database(ConnectionFactories.get(url));
    }

    /**
     * Emits what the work with a connection emits. The connection is closed before that, and also when the work fails
     * or is cancelled.
     */
    <T> Mono<T> connected(Function<? super Connection, ? extends Mono<T>> work) {
        return Mono.usingWhen(open(), open -> work.apply(open.connection), Open::close);
    }

    /** Its name and version. */
    Mono<String> describe() {
        return connected(connection -> Mono.fromSupplier(() -> connection.getMetadata().getDatabaseProductName() + " "
                + connection.getMetadata().getDatabaseVersion()));
    }

    /** Cancelled half-way, a driver may leave the connection open. So it is opened to the end, and closed then. */
    private Mono<Open> open() {
        return Mono.<Open>create(sink -> {
            Scheduler thread = blocks ? Schedulers.single(Schedulers.boundedElastic()) : Schedulers.immediate();
            Mono.from(driver.create())
                    .map(connection -> new Open(connection, thread))
                    .doOnError(failure -> thread.dispose())
                    .subscribeOn(thread)
                    .subscribe(sink::success, sink::error, null, Context.of(sink.contextView()));
        }).doOnDiscard(Open.class, unwanted -> unwanted.close().subscribe());
    }

    /** With the one thread of a driver that blocks: what is cancelled there is closed when its statement has ended. */
    private record Open(Connection connection, Scheduler thread) {

        Mono<Void> close() {
            return Mono.<Void>from(connection.close()).subscribeOn(thread).doFinally(end -> thread.dispose());
        }
    }
}
