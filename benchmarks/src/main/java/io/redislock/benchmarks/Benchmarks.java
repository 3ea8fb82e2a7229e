package io.redislock.benchmarks;

import java.io.PrintStream;

import io.lettuce.core.RedisURI;
import io.redislock.testsupport.EmbeddedRedis;
import org.jspecify.annotations.Nullable;

/** The program: runs suites, or makes a report of what they measured. */
public final class Benchmarks {

    private static final int MISUSED = 2;

    private final PrintStream out;
    private final PrintStream progress;

    Benchmarks(PrintStream out, PrintStream progress) {
        this.out = out;
        this.progress = progress;
    }

    /** Ends the JVM, as libraries leave threads behind. */
    public static void main(String[] words) {
        int status = 1;
        try {
            status = new Benchmarks(System.out, System.err).run(words);
        } catch (RuntimeException failure) {
            failure.printStackTrace();
        }
        System.exit(status);
    }

    /** The exit status. */
    int run(String... words) {
        try {
            Arguments arguments = Arguments.of(words);
            if (arguments instanceof Arguments.Run run) {
                measure(run);
            } else if (arguments instanceof Arguments.MakeReport make) {
                new Report(make.results().stream().map(ResultFile::read).toList()).write(make.folder());
                progress.println("wrote " + make.folder().resolve(Report.TABLE) + " and "
                        + make.folder().resolve(Report.CHART));
            }
            return 0;
        } catch (UsageException misused) {
            progress.println(misused.getMessage() + "\n\n" + Arguments.USAGE + Suites.list());
            return MISUSED;
        }
    }

    private void measure(Arguments.Run run) {
        if (run.redis() != null) {
            measure(run, run.redis());
            return;
        }
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            measure(run, redis.uri());
        }
    }

    private void measure(Arguments.Run run, String redis) {
        Results results = new Results(this::show);
        Environment environment;
        try (ServerCounters server = new ServerCounters(RedisURI.create(redis))) {
            environment = Environment.here(server);
        }
        progress.println("Redis " + environment.redis() + ", " + environment.jvm() + ", " + environment.cpus()
                + " processors");
        for (Suite suite : run.suites()) {
            @Nullable Integer wish = run.seconds();
            int seconds = wish == null ? suite.usualSeconds() : wish;
            progress.println(suite.name() + ": " + suite.description() + " (about " + seconds + " s)");
            suite.run(new Bench(redis, seconds, results));
            // After each suite, so that a long run that is broken off leaves what it has.
            if (run.json() != null) {
                new ResultFile(environment, results.rows()).write(run.json());
            }
        }
    }

    private void show(Row row) {
        out.printf("%-12s %-15s %-32s %-20s %12s %s%n", row.suite(), row.measure(), row.setting(), row.library(),
                Numbers.shown(row.value()), row.unit());
    }
}
