package io.redislock.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What every server that this JVM starts can do, however it is started. */
abstract class RedisServerContract {

    abstract RedisServer start(String... config);

    private static RespSocket connect(RedisServer server) throws IOException {
        return new RespSocket(server.host(), server.port());
    }

    @Test
    void startedServerAnswersAClientAtItsUri() {
        try (RedisServer server = start()) {
            RedisClient client = RedisClient.create(server.uri());
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                assertThat(connection.sync().set("key", "value")).isEqualTo("OK");
            } finally {
                client.shutdown();
            }
            assertThat(server.isRunning()).isTrue();
        }
    }

    @Test
    void configurationLinesReachTheServer() throws IOException {
        try (RedisServer server = start("maxmemory 10mb", "requirepass \"two words\"");
                RespSocket redis = connect(server)) {
            assertThat(redis.call("PING")).startsWith("-NOAUTH");
            assertThat(redis.call("AUTH", "two words")).isEqualTo("OK");
            redis.send("CONFIG", "GET", "maxmemory");
            assertThat(redis.reply()).isEqualTo("*2");
            assertThat(redis.reply()).isEqualTo("maxmemory");
            assertThat(redis.reply()).isEqualTo("10485760");
        }
    }

    @Test
    void configurationTheServerDoesNotKnowIsReportedInItsOwnWords() {
        assertThatThrownBy(() -> start("no-such-directive 1").close())
                .isInstanceOf(IllegalStateException.class)
                .hasStackTraceContaining("Bad directive or wrong number of arguments");
    }

    @Test
    void fixedDirectivesAreRejected() {
        assertThatThrownBy(() -> start("port 1234").close()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> start(" ").close()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> start("a 1\nb 2").close()).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void pausedServerAcceptsButDoesNotAnswer() throws IOException {
        try (RedisServer server = start()) {
            server.pause();
            try (RespSocket redis = connect(server)) {
                redis.send("SET", "key", "sent while paused");
                assertThat(redis.isSilentFor(Duration.ofMillis(300))).isTrue();
                assertThat(server.isRunning()).isTrue();

                server.resume();
                assertThat(redis.reply()).isEqualTo("OK");
                assertThat(redis.call("GET", "key")).isEqualTo("sent while paused");
            }
        }
    }

    @Test
    void pausingAndResumingTwiceIsTheSameAsOnce() throws IOException {
        try (RedisServer server = start(); RespSocket redis = connect(server)) {
            server.resume();
            server.pause();
            server.pause();
            server.resume();
            server.resume();
            assertThat(redis.call("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void killedServerClosesItsConnectionsAndAcceptsNone() throws IOException {
        try (RedisServer server = start(); RespSocket redis = connect(server)) {
            assertThat(redis.call("PING")).isEqualTo("PONG");
            server.kill();
            assertThat(redis.reply()).isEqualTo("closed");
            assertThat(RedisPing.isReady(server.host(), server.port())).isFalse();
            assertThat(server.isRunning()).isFalse();
            server.kill();
            assertThatThrownBy(server::pause).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void killedServerComesBackEmptyOnTheSamePort() throws IOException {
        try (RedisServer server = start()) {
            int port = server.port();
            write(server);
            server.kill();
            server.restart();
            assertThat(server.port()).isEqualTo(port);
            assertThat(server.isRunning()).isTrue();
            assertEmpty(server);
        }
    }

    @Test
    void runningServerComesBackEmptyAfterARestart() throws IOException {
        try (RedisServer server = start()) {
            write(server);
            server.restart();
            assertEmpty(server);
        }
    }

    @Test
    void pausedServerCanBeKilledAndComesBack() throws IOException {
        try (RedisServer server = start()) {
            write(server);
            server.pause();
            server.kill();
            assertThat(server.isRunning()).isFalse();
            server.restart();
            assertEmpty(server);

            server.pause();
            server.restart();
            assertEmpty(server);
        }
    }

    @Test
    void closeContinuesAPausedServerAndEndsIt() throws IOException {
        RedisServer server = start();
        server.pause();
        server.close();
        assertThat(server.isRunning()).isFalse();
        assertThat(RedisPing.isListening(server.host(), server.port())).isFalse();
    }

    @Test
    void closedServerStaysClosed() {
        RedisServer server = start();
        server.close();
        server.close();
        server.kill();
        server.resume();
        assertThat(server.isRunning()).isFalse();
        assertThat(server.describe()).contains(":" + server.port());
        assertThatThrownBy(server::restart).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        assertThatThrownBy(server::pause).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
    }

    private static void write(RedisServer server) throws IOException {
        try (RespSocket redis = connect(server)) {
            assertThat(redis.call("SET", "key", "value")).isEqualTo("OK");
        }
    }

    private static void assertEmpty(RedisServer server) throws IOException {
        try (RespSocket redis = connect(server)) {
            assertThat(redis.call("DBSIZE")).isEqualTo("0");
        }
    }
}
