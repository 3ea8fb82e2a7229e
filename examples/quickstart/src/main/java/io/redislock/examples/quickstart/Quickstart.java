package io.redislock.examples.quickstart;

import java.io.PrintStream;
import java.time.Duration;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.testsupport.EmbeddedRedis;
import reactor.core.publisher.Flux;

/**
 * Tells what the locks do, on a Redis that it starts by itself, or on the one whose {@code redis://} URI it is given.
 *
 * <p>This is the only class that blocks: it connects at start-up, as {@link LosingUse} does when it is made here, and
 * it waits for the end of the story, because the program would be over otherwise. Everything else composes and returns
 * at once.
 */
public final class Quickstart {

    private static final Duration LONGEST = Duration.ofMinutes(2);

    private Quickstart() {
    }

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /** Returns the exit code: 0 when the whole story was told. */
    static int run(PrintStream out, PrintStream err, String... args) {
        String uri = args.length == 0 ? "" : args[0].strip();
        try {
            Story story = new Story(out);
            if (uri.isEmpty()) {
                onARedisOfOurOwn(story);
            } else {
                onTheRedisAt(RedisURI.create(uri), story);
            }
            story.end();
            return 0;
        } catch (RuntimeException failure) {
            err.println(Advice.on(failure, uri));
            return 1;
        }
    }

    private static void onARedisOfOurOwn(Story story) {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            story.begin(redis.describe());
            connectAndTell(RedisURI.create(redis.uri()), story);
        }
    }

    private static void onTheRedisAt(RedisURI uri, Story story) {
        story.begin(uri.toString()); // a RedisURI hides its password
        connectAndTell(uri, story);
    }

    private static void connectAndTell(RedisURI uri, Story story) {
        try (RedisClient client = RedisClient.create(uri)) {
            // snippet: create
            ReactiveRedisLocks locks = ReactiveRedisLocks.builder(client)
                    .keyPrefix("quickstart:")
                    .build(); // connects now, and blocks for it: call it once, at start-up
            // end
            Flux.concat(
                            new ScopedUse(locks, story).chapter(),
                            new ExtendingUse(locks, story).chapter(),
                            new LowLevelUse(locks, story).chapter(),
                            new TwoRequests(locks, story).chapter(),
                            new Contention(locks, story).chapter(),
                            new CancelledRequest(locks, story).chapter(),
                            new LosingUse(client, story).chapter())
                    .blockLast(LONGEST);
            locks.close().block(LONGEST);
        }
    }
}
