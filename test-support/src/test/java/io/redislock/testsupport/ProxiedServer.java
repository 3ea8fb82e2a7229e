package io.redislock.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** An empty server, a fresh proxy before it, and a connection around the proxy that sees what the server sees. */
abstract class ProxiedServer {

    static final Duration MOMENT = Duration.ofMillis(200);
    static final Duration NEVER = Duration.ofHours(1);

    static EmbeddedRedis server;

    FaultProxy proxy;
    RespSocket direct;

    @BeforeAll
    static void startServer() {
        server = EmbeddedRedis.start();
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @BeforeEach
    void openProxy() throws IOException {
        proxy = FaultProxy.to(server);
        direct = new RespSocket(server.host(), server.port());
        direct.call("FLUSHALL");
    }

    @AfterEach
    void closeProxy() throws IOException {
        proxy.close();
        direct.close();
    }

    RespSocket connect() throws IOException {
        RespSocket redis = new RespSocket(proxy.host(), proxy.port());
        assertThat(redis.call("PING")).isEqualTo("PONG");
        return redis;
    }

    static void eventually(Callable<Boolean> fact) {
        assertThat(Poll.until(Duration.ofSeconds(10), () -> {
            try {
                return fact.call();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        })).isTrue();
    }

    int clientsOfTheServer() throws IOException {
        return direct.call("CLIENT", "LIST").split("\n").length - 1;
    }
}
