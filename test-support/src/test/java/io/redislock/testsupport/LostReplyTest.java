package io.redislock.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Commands that ran and whose replies the client never sees. */
class LostReplyTest extends ProxiedServer {

    @Test
    void cutOnNextReplyRunsTheCommandAndLosesItsReply() throws IOException {
        try (RespSocket redis = connect()) {
            proxy.cutOnNextReply(1);
            redis.send("INCR", "counter");
            assertThat(redis.reply()).isEqualTo("closed");
            assertThat(direct.call("GET", "counter")).isEqualTo("1");
            eventually(() -> clientsOfTheServer() == 0);
        }
        // It happens once.
        try (RespSocket next = connect()) {
            assertThat(next.call("INCR", "counter")).isEqualTo("2");
        }
    }

    @Test
    void severalRepliesCanBeLostBeforeTheCut() throws IOException {
        try (RespSocket redis = connect()) {
            proxy.cutOnNextReply(2);
            redis.send("INCR", "counter");
            assertThat(redis.isSilentFor(MOMENT)).isTrue();
            assertThat(direct.call("GET", "counter")).isEqualTo("1");
            redis.send("INCR", "counter");
            assertThat(redis.reply()).isEqualTo("closed");
            assertThat(direct.call("GET", "counter")).isEqualTo("2");
        }
    }

    @Test
    void connectionThatHasLostAReplyIsTheOneThatIsCut() throws IOException {
        try (RespSocket unlucky = connect(); RespSocket other = connect()) {
            proxy.cutOnNextReply(2);
            unlucky.send("INCR", "counter");
            assertThat(unlucky.isSilentFor(MOMENT)).isTrue();
            assertThat(other.call("INCR", "counter")).isEqualTo("2");
            unlucky.send("INCR", "counter");
            assertThat(unlucky.reply()).isEqualTo("closed");
            assertThat(other.call("INCR", "counter")).isEqualTo("4");
        }
    }

    @Test
    void orderToLoseRepliesEndsWithTheConnectionThatBeganIt() throws IOException {
        try (RespSocket unlucky = connect(); RespSocket other = connect()) {
            proxy.cutOnNextReply(2);
            unlucky.send("INCR", "counter");
            assertThat(unlucky.isSilentFor(MOMENT)).isTrue();
            unlucky.disconnect();
            eventually(() -> proxy.connections() == 1);
            assertThat(other.call("INCR", "counter")).isEqualTo("2");
            assertThat(other.call("INCR", "counter")).isEqualTo("3");
        }
    }

    @Test
    void orderToLoseRepliesCanBeTakenBack() throws IOException {
        try (RespSocket redis = connect()) {
            proxy.cutOnNextReply(1);
            proxy.cutOnNextReply(0);
            assertThat(redis.call("INCR", "counter")).isEqualTo("1");
        }
    }

    @Test
    void clientThatResendsRunsACommandTwiceWhenItsReplyIsLost() {
        RedisClient client = RedisClient.create(proxy.uri());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().ping();
            proxy.cutOnNextReply(1);
            assertThat(connection.sync().incr("counter")).isEqualTo(2);
            assertThat(proxy.accepted()).isEqualTo(2);
        } finally {
            client.shutdown();
        }
    }
}
