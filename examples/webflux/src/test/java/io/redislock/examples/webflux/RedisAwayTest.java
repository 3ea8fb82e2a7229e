package io.redislock.examples.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

import io.redislock.examples.webflux.Replica.Answer;
import io.redislock.testsupport.RedisServer;
import org.junit.jupiter.api.Test;

/** Without Redis nothing is processed; with it again, everything is. */
class RedisAwayTest {

    @Test
    void requestsAreRefusedAndNothingIsChargedUntilRedisIsBack() {
        GatedPayments payments = new GatedPayments();
        try (RedisServer redis = RedisServer.start();
                Replica replica = Replica.start("A", redis, payments)) {
            redis.kill();

            Answer refused = replica.process("1").join();

            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.retryAfter()).isBetween(2L, 3L);
            assertThat(refused.body()).containsEntry("type", "urn:example:orders:unavailable");
            assertThat(payments.of("1")).isEmpty();
            assertThat(replica.live()
                    .filter(event -> "snapshot".equals(event.event()))
                    .any(event -> event.data() != null && event.data().get("keys") == null)
                    .block(Duration.ofSeconds(30))).isTrue();

            redis.restart();
            payments.open();

            Await.until("Lettuce is connected again", () -> replica.process("2").join().status() == 200);
            assertThat(payments.of("1")).isEmpty();
        }
    }
}
