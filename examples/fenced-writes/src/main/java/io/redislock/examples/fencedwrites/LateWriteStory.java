package io.redislock.examples.fencedwrites;

import java.io.PrintStream;
import java.time.Duration;

import io.lettuce.core.RedisClient;
import io.r2dbc.spi.R2dbcException;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.testsupport.EmbeddedRedis;

/**
 * Tells what becomes of a write that comes late, once for each {@link Destination}, on a Redis and an H2 that it starts
 * by itself, or on the database whose {@code r2dbc:} URL it is given.
 *
 * <pre>
 *   A  lock, token 33 - looks: held - stands still ................ write(.., 33) --> refused
 *   B                                    lock, token 34 - write(.., 34) --> accepted
 * </pre>
 *
 * <p>This class blocks where one thing has to happen after the other. The workers do not.
 */
public final class LateWriteStory {

    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final PrintStream out;
    private final EmbeddedRedis redis;
    private final Database database;
    /** Where the other process finds the database. */
    private final String url;

    private LateWriteStory(PrintStream out, EmbeddedRedis redis, Database database, String url) {
        this.out = out;
        this.redis = redis;
        this.database = database;
        this.url = url;
    }

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /** Returns the exit code: 0 when each chapter ended as it should. */
    static int run(PrintStream out, PrintStream err, String... args) {
        String url = args.length == 0 ? "" : args[0].strip();
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            if (url.isEmpty()) {
                try (SharedH2 h2 = SharedH2.start()) {
                    new LateWriteStory(out, redis, Database.at(h2.url()), h2.urlByTcp()).tell();
                }
            } else {
                new LateWriteStory(out, redis, Database.at(url), url).tell();
            }
            return 0;
        } catch (R2dbcException | IllegalArgumentException unusable) {
            err.println("The database cannot be used: " + unusable.getMessage()
                    + "\nGive one as -Dr2dbc=r2dbc:postgresql://user:password@host:port/database, or none.");
            return 1;
        } catch (RuntimeException failure) {
            err.println(failure);
            return 1;
        }
    }

    private void tell() {
        out.println("A late write, to " + database.describe().block(LONGEST) + " and to " + redis.describe());
        out.println("A is a process of its own, and really stopped: SIGSTOP. B is this process.");
        SqlReports.createTable(database).block(LONGEST);
        try {
            for (Destination destination : Destination.values()) {
                out.printf("%n%d. %s%n", destination.ordinal() + 1, destination.title);
                chapter(destination, new Timeline(out));
            }
        } finally {
            SqlReports.dropTable(database).block(LONGEST);
        }
        out.printf("%nDone.%n");
    }

    private void chapter(Destination destination, Timeline timeline) {
        try (RedisClient client = RedisClient.create(redis.uri());
                WorkerProcess a = WorkerProcess.start(destination, redis.uri(), url)) {
            ReactiveRedisLocks locks = ReactiveRedisLocks.create(client);
            Reports reports = destination.open(database, client);
            timeline.tell("A", a.line());
            timeline.tell("A", a.line());
            a.stop();
            timeline.tell("A", "stands still");
            new Worker(locks, reports, timeline).publish(destination.id()).block(LONGEST);
            a.goOn();
            timeline.tell("A", "goes on");
            timeline.tell("A", a.line());
            String author = reports.read(destination.id()).block(LONGEST);
            if (!destination.author.equals(author)) {
                throw new IllegalStateException("The report should be that of " + destination.author
                        + ", but is that of " + author);
            }
            out.println(author.equals("A")
                    ? "   The report is A's. That of B, who had the lock after A, is lost."
                    : "   The report is still B's.");
        }
    }
}
