package io.redislock.examples.fencedwrites;

import java.time.Duration;
import java.util.Random;

import io.r2dbc.spi.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Whoever cancels a write gets no answer, but leaves no connection open. */
class CancelledWriteTest {

    private static final int ROUNDS = 20;
    private static final int AT_ONCE = 20;

    private final TestDatabase database = new TestDatabase();
    private final Reports reports = SqlReports.checked(database.database());

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aWriteThatIsCancelledWhileItWaitsForTheRowClosesItsConnection() throws InterruptedException {
        reports.write("r", "content", 33).block(Duration.ofSeconds(10));
        int before = database.connections();
        Sinks.Empty<Void> locked = Sinks.empty();
        Sinks.Empty<Void> done = Sinks.empty();
        database.database().connected(connection -> lockTheRow(connection)
                        .doOnSuccess(row -> locked.tryEmitEmpty())
                        .then(done.asMono())
                        .then(Mono.from(connection.commitTransaction())))
                .subscribe();
        locked.asMono().block(Duration.ofSeconds(10));
        Disposable write = reports.write("r", "late", 34).subscribe();
        Until.so("the write waits for the row", () -> database.waiting() == 1);

        write.dispose();
        done.tryEmitEmpty();

        Until.so("both connections are closed", () -> database.connections() == before);
    }

    @Test
    void writesThatAreCancelledAtAnyMomentCloseTheirConnections() throws InterruptedException {
        int before = database.connections();
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            for (int write = 0; write < AT_ONCE; write++) {
                Disposable cancelled = reports.write("r", "content", round).subscribe();
                // Mostly within the millisecond or so that a write takes in H2, sometimes as late as over a network.
                Mono.delay(Duration.ofNanos((long) (20_000_000 * Math.pow(random.nextDouble(), 3))))
                        .subscribe(now -> cancelled.dispose());
            }
            Until.so("seed " + seed + ", round " + round + ": all connections are closed",
                    () -> database.connections() == before);
        }
    }

    private static Mono<Void> lockTheRow(Connection connection) {
        return Mono.from(connection.beginTransaction())
                .thenMany(connection.createStatement("UPDATE fenced_report SET content = 'locked'").execute())
                .flatMap(result -> Flux.from(result.getRowsUpdated()))
                .then();
    }
}
