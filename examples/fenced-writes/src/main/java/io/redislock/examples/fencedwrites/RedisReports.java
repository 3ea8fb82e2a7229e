package io.redislock.examples.fencedwrites;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.reactive.RedisReactiveCommands;
import io.redislock.reactor.FencedWrites;
import reactor.core.publisher.Mono;

/** Reports in Redis, where the library's own script compares the tokens. */
final class RedisReports implements Reports {

    private final FencedWrites writes;
    private final RedisReactiveCommands<String, String> redis;

    // snippet: fenced-redis
    RedisReports(RedisClient client) {
        writes = FencedWrites.create(client); // connects now, and blocks for it: call it once, at start-up
        redis = client.connect().reactive();
    }

    @Override
    public Mono<Boolean> write(String id, String content, long token) {
        return writes.set("report:" + id, content, token);
    }

    @Override
    public Mono<String> read(String id) {
        return redis.get("report:" + id); // reading is as ever
    }
    // end
}
