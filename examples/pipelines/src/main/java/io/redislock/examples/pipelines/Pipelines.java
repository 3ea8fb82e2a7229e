package io.redislock.examples.pipelines;

import java.io.PrintStream;
import java.time.Duration;

import io.redislock.testsupport.EmbeddedRedis;

/**
 * Runs the five pipelines, one after the other, on a Redis that it starts by itself, and tells what they do.
 *
 * <p>This is the only class that blocks, beside connecting and disconnecting: the program would be over otherwise.
 */
public final class Pipelines {

    private static final Duration LONGEST = Duration.ofMinutes(2);

    private Pipelines() {
    }

    public static void main(String[] args) {
        int exitCode;
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            exitCode = run(redis, System.out, System.err);
        }
        System.exit(exitCode);
    }

    /** Returns the exit code: 0 when the whole story was told. */
    static int run(EmbeddedRedis redis, PrintStream out, PrintStream err) {
        Story story = new Story(out);
        story.begin(redis.describe());
        try (TwoProcesses processes = new TwoProcesses(redis.uri())) {
            new Chapters(processes, story).all().block(LONGEST);
            story.end();
            return 0;
        } catch (RuntimeException failure) {
            err.println("The story ends here: " + failure);
            return 1;
        }
    }
}
