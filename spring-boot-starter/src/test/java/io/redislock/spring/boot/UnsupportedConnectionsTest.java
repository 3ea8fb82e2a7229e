package io.redislock.spring.boot;

import java.lang.reflect.Proxy;
import java.util.function.Supplier;

import io.lettuce.core.ClientOptions;
import io.redislock.testsupport.RedisServer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Connections that there can be no locks on: the application does not start, and is told why and what to do. */
class UnsupportedConnectionsTest {

    private static final String HOST = RedisServer.shared().host();
    private static final int PORT = RedisServer.shared().port();

    @Test
    void clusterIsRefused() {
        refused(Contexts.runner().withPropertyValues("spring.data.redis.cluster.nodes=127.0.0.1:1"),
                "do not work on Redis Cluster", "redislock.enabled=false");
    }

    @Test
    void clusterIsNotRefusedWhenLocksAreSwitchedOff() {
        Contexts.runner().withPropertyValues("spring.data.redis.cluster.nodes=127.0.0.1:1", "redislock.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void clusterIsRefusedAlsoWhereRedisMayBeDown() {
        refused(Contexts.runner().withPropertyValues("spring.data.redis.cluster.nodes=127.0.0.1:1",
                "redislock.fail-fast=false"), "do not work on Redis Cluster", "redislock.enabled=false");
    }

    @Test
    void staticMasterAndReplicasAreRefused() {
        refused(with(() -> new LettuceConnectionFactory(new RedisStaticMasterReplicaConfiguration(HOST, PORT))),
                "a static set of a master and its replicas", "bean of your own");
    }

    @Test
    void anotherClientThanLettuceIsRefused() {
        RedisConnectionFactory foreign = (RedisConnectionFactory) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RedisConnectionFactory.class},
                (proxy, method, arguments) -> method.getName().equals("hashCode") ? (Object) 1
                        : method.getName().equals("toString") ? "foreign" : null);

        refused(Contexts.runner().withBean(RedisConnectionFactory.class, () -> foreign),
                "need a LettuceConnectionFactory", "Use Lettuce");
    }

    @Test
    void clientThatDoesNotReconnectIsRefused() {
        refused(with(() -> new LettuceConnectionFactory(new RedisStandaloneConfiguration(HOST, PORT),
                        LettuceClientConfiguration.builder()
                                .clientOptions(ClientOptions.builder().autoReconnect(false).build()).build())),
                "auto-reconnect", "client's options");
    }

    private static ApplicationContextRunner with(Supplier<LettuceConnectionFactory> factory) {
        return Contexts.runner().withBean(LettuceConnectionFactory.class, factory);
    }

    private static void refused(ApplicationContextRunner runner, String description, String action) {
        runner.run(context -> {
            assertThat(context).hasFailed();
            FailureAnalysis analysis = new LocksNotStartedFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis).isNotNull();
            assertThat(analysis.getDescription()).contains(description).doesNotContain("..").endsWith(".");
            assertThat(analysis.getAction()).contains(action);
        });
    }
}
