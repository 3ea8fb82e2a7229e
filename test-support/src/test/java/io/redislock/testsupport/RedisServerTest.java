package io.redislock.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which server the system property leads to. */
class RedisServerTest {

    private final String asStarted = System.getProperty(RedisChoice.PROPERTY, "");

    @AfterEach
    void restoreProperty() {
        System.setProperty(RedisChoice.PROPERTY, asStarted);
    }

    @Test
    void sharedServerIsOneAndOutlivesItsClose() {
        RedisServer first = RedisServer.shared();
        first.close();
        assertThat(first.isRunning()).isTrue();
        assertThat(RedisServer.shared()).isSameAs(first);
        assertThat(first.uri()).startsWith("redis").contains(first.host() + ":" + first.port());
    }

    @Test
    void embeddedMeansAProcess() {
        System.setProperty(RedisChoice.PROPERTY, "embedded");
        try (RedisServer server = RedisServer.start()) {
            assertThat(server).isInstanceOf(EmbeddedRedis.class);
        }
    }

    @Test
    void nothingMeansDockerWhereAnEngineAnswersElseAProcess() {
        System.setProperty(RedisChoice.PROPERTY, "");
        try (RedisServer server = RedisServer.start()) {
            assertThat(server).isInstanceOf(
                    ContainerRedis.engineAnswers() ? ContainerRedis.class : EmbeddedRedis.class);
        }
    }

    @Test
    void uriMeansThatServerAndNoConfiguration() {
        System.setProperty(RedisChoice.PROPERTY, "redis://127.0.0.1:1");
        try (RedisServer server = RedisServer.start()) {
            assertThat(server).isInstanceOf(ExternalRedis.class);
        }
        assertThatThrownBy(() -> RedisServer.start("maxmemory 10mb").close())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("maxmemory 10mb");
    }

    @Test
    void anythingElseIsRejectedWithWhatIsPossible() {
        System.setProperty(RedisChoice.PROPERTY, "podman");
        assertThatThrownBy(() -> RedisServer.start().close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("podman", "docker", "embedded", "redis://");
    }
}
