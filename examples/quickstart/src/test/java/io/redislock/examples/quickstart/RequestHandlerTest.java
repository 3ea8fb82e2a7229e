package io.redislock.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

import io.lettuce.core.RedisClient;
import io.redislock.examples.quickstart.RequestHandler.Response;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.testsupport.EmbeddedRedis;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class RequestHandlerTest {

    @Test
    void answers503AndDoesNotChargeWhenRedisIsGone() {
        try (EmbeddedRedis redis = EmbeddedRedis.start(); RedisClient client = RedisClient.create(redis.uri())) {
            RequestHandler handler = new RequestHandler(ReactiveRedisLocks.create(client),
                    orderId -> Mono.error(new AssertionError("charged without a lock")));
            redis.kill();

            Response answer = handler.charge("7").block(Duration.ofSeconds(30));

            assertThat(answer).isEqualTo(new Response(503, "please try again later"));
        }
    }
}
