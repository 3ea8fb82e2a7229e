package io.redislock.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Where Docker is asked for, a machine without an engine must fail rather than skip. */
@EnabledIfSystemProperty(
        named = "redislock.redis",
        matches = "docker",
        disabledReason = "Needs a Docker engine; run with -Dredislock.redis=docker")
class ContainerRedisTest extends RedisServerContract {

    @Override
    RedisServer start(String... config) {
        return ContainerRedis.start(config);
    }

    @Test
    void engineAnswers() {
        assertThat(ContainerRedis.engineAnswers()).isTrue();
    }

    @Test
    void describeNamesImageContainerAndAddress() {
        try (RedisServer server = start()) {
            assertThat(server.describe()).matches(".+ \\(container [0-9a-f]{12}\\) on .+:" + server.port());
        }
    }

    @Test
    void asksForDockerMeansAContainer() {
        try (RedisServer server = RedisServer.start()) {
            assertThat(server).isInstanceOf(ContainerRedis.class);
        }
    }

    @Test
    void portThatIsTakenIsToldApartFromOtherFailures() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RedisContainer container = new RedisContainer(
                        ContainerRedis.image(), RedisConf.with(), "127.0.0.1", other.getLocalPort())) {
            assertThatThrownBy(container::start).matches(RedisContainer::isPortTaken);
        }
    }

    @Test
    void restartWaitsForItsPort() throws Exception {
        try (RedisServer server = start()) {
            server.kill();
            CompletableFuture<Void> restart;
            try (ServerSocket other = new ServerSocket(server.port(), 1, InetAddress.getLoopbackAddress())) {
                assertThat(other.isBound()).isTrue();
                restart = CompletableFuture.runAsync(server::restart);
                assertThatThrownBy(() -> restart.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
            }
            restart.join();
            assertThat(server.isRunning()).isTrue();
        }
    }
}
