package io.redislock.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The proxy as a whole: what passes, and what ends. */
class FaultProxyTest extends ProxiedServer {

    @Test
    void clientCannotTellACleanProxyFromTheServer() {
        RedisClient client = RedisClient.create(proxy.uri());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            String long1 = "x".repeat(1_000_000);
            connection.sync().set("key", long1);
            assertThat(connection.sync().get("key")).isEqualTo(long1);
            assertThat(proxy.connections()).isEqualTo(1);
            assertThat(proxy.accepted()).isEqualTo(1);
        } finally {
            client.shutdown();
        }
    }

    @Test
    void addressIsThatOfTheProxyAndTheRestThatOfTheServer() {
        assertThat(proxy.uri()).isEqualTo("redis://127.0.0.1:" + proxy.port());
        try (FaultProxy other = FaultProxy.to(ExternalRedis.at("redis://user:secret@10.0.0.1:7000/3?timeout=5s"))) {
            assertThat(other.uri()).isEqualTo("redis://user:secret@127.0.0.1:" + other.port() + "/3?timeout=5s");
        }
    }

    @Test
    void clientThatLeavesIsGoneFromTheServerToo() throws IOException {
        try (RespSocket redis = connect()) {
            assertThat(clientsOfTheServer()).isEqualTo(1);
            assertThat(proxy.connections()).isEqualTo(1);
            redis.disconnect();
            eventually(() -> clientsOfTheServer() == 0 && proxy.connections() == 0);
        }
    }

    @Test
    void connectionTheServerClosesIsClosed() throws IOException {
        try (RespSocket redis = connect()) {
            assertThat(redis.call("QUIT")).isEqualTo("OK");
            assertThat(redis.reply()).isEqualTo("closed");
            eventually(() -> proxy.connections() == 0);
        }
    }

    @Test
    void connectionIsClosedWhenNoServerIsBehind() throws IOException {
        try (EmbeddedRedis mortal = EmbeddedRedis.start(); FaultProxy other = FaultProxy.to(mortal)) {
            mortal.kill();
            try (RespSocket redis = new RespSocket(other.host(), other.port())) {
                redis.send("PING");
                assertThat(redis.reply()).isEqualTo("closed");
            }
            mortal.restart();
            try (RespSocket redis = new RespSocket(other.host(), other.port())) {
                assertThat(redis.call("PING")).isEqualTo("PONG");
            }
        }
    }

    @Test
    void cutClosesBothSidesAtOnceAndNewConnectionsPass() throws IOException {
        try (RespSocket first = connect(); RespSocket second = connect()) {
            proxy.cut();
            assertThat(proxy.connections()).isZero();
            assertThat(first.reply()).isEqualTo("closed");
            assertThat(second.reply()).isEqualTo("closed");
            eventually(() -> clientsOfTheServer() == 0);
        }
        try (RespSocket third = connect()) {
            assertThat(third.call("PING")).isEqualTo("PONG");
            assertThat(proxy.accepted()).isEqualTo(3);
        }
    }

    @Test
    void refusedConnectionIsClosedAndExistingOnesStay() throws IOException {
        try (RespSocket existing = connect()) {
            proxy.refuse(true);
            try (RespSocket refused = new RespSocket(proxy.host(), proxy.port())) {
                assertThat(refused.reply()).isEqualTo("closed");
            }
            assertThat(existing.call("PING")).isEqualTo("PONG");
            assertThat(proxy.accepted()).isEqualTo(1);
            proxy.refuse(false);
            connect().close();
        }
    }

    @Test
    void resetDropsOrphansAndDeliversWhatWasHeld() throws IOException {
        try (RespSocket orphan = connect()) {
            proxy.orphanRequests(NEVER);
            orphan.send("SET", "orphaned", "1");
            assertThat(orphan.reply()).isEqualTo("closed");
        }
        try (RespSocket held = connect()) {
            proxy.refuse(true);
            proxy.blackhole(true);
            proxy.delayRequests(NEVER);
            proxy.delayReplies(NEVER);
            held.send("SET", "held", "1");
            assertThat(held.isSilentFor(MOMENT)).isTrue();
            proxy.orphanRequests(NEVER);
            assertThat(held.reply()).isEqualTo("closed");
        }
        proxy.refuse(false);
        proxy.blackhole(false);
        proxy.delayReplies(Duration.ZERO);
        proxy.delayRequests(Duration.ZERO);
        try (RespSocket held = connect(); RespSocket armed = connect()) {
            proxy.orphanRequests(NEVER);
            proxy.reset();
            assertThat(armed.call("PING")).isEqualTo("PONG");
            proxy.refuse(true);
            proxy.blackhole(true);
            proxy.delayRequests(NEVER);
            proxy.delayReplies(NEVER);
            proxy.cutOnNextReply(1);
            held.send("SET", "held", "2");
            proxy.reset();
            assertThat(held.reply()).isEqualTo("OK");
            connect().close();
        }
        assertThat(direct.call("GET", "held")).isEqualTo("2");
        assertThat(direct.call("EXISTS", "orphaned")).isEqualTo("0");
        eventually(() -> clientsOfTheServer() == 0);
    }

    @Test
    void closedProxyLeavesNoConnection() throws IOException {
        try (RespSocket redis = connect(); RespSocket orphan = connect()) {
            proxy.orphanRequests(NEVER);
            orphan.send("SET", "key", "late");
            assertThat(orphan.reply()).isEqualTo("closed");
            proxy.close();
            proxy.close();
            assertThat(redis.reply()).isEqualTo("closed");
            assertThat(proxy.connections()).isZero();
            // Java closes a socket that a selector knows when that selector looks next, which is a moment later.
            eventually(() -> !RedisPing.isListening(proxy.host(), proxy.port()));
            eventually(() -> clientsOfTheServer() == 0);
            assertThat(direct.call("EXISTS", "key")).isEqualTo("0");
        }
    }

    @Test
    void switchesMayBeThrownOnThreadsThatMustNotBlock() throws IOException {
        try (RespSocket redis = connect()) {
            Mono.fromRunnable(() -> proxy.cut()).subscribeOn(Schedulers.parallel()).block(Duration.ofSeconds(10));
            assertThat(redis.reply()).isEqualTo("closed");
            Mono.fromRunnable(() -> proxy.close()).subscribeOn(Schedulers.parallel()).block(Duration.ofSeconds(10));
            eventually(() -> !RedisPing.isListening(proxy.host(), proxy.port()));
        }
    }
}
