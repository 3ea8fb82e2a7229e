package io.redislock.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExternalRedisTest {

    @Test
    void uriIsReturnedAsGivenAndThePasswordIsNotDescribed() {
        try (ExternalRedis server = ExternalRedis.at("redis://user:secret@127.0.0.1:7000/3?timeout=5s")) {
            assertThat(server.uri()).isEqualTo("redis://user:secret@127.0.0.1:7000/3?timeout=5s");
            assertThat(server.host()).isEqualTo("127.0.0.1");
            assertThat(server.port()).isEqualTo(7000);
            assertThat(server.describe()).isEqualTo("external Redis on 127.0.0.1:7000");
        }
    }

    @Test
    void portDefaultsToThatOfRedis() {
        try (ExternalRedis server = ExternalRedis.at("redis://example.test")) {
            assertThat(server.port()).isEqualTo(6379);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:6379", "redis-sentinel://127.0.0.1:26379#main", "redis:///0"})
    void otherUrisAreRejected(String uri) {
        assertThatThrownBy(() -> ExternalRedis.at(uri).close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(uri);
    }

    @Test
    void itIsUsedButNeitherSteeredNorClosed() {
        try (EmbeddedRedis somebodys = EmbeddedRedis.start()) {
            ExternalRedis server = ExternalRedis.at(somebodys.uri());
            assertThat(server.isRunning()).isTrue();
            assertThatThrownBy(server::pause).isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContainingAll("paused", "-Dredislock.redis=");
            assertThatThrownBy(server::resume).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(server::kill).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(server::restart).isInstanceOf(UnsupportedOperationException.class);
            server.close();
            assertThat(server.isRunning()).isTrue();
            somebodys.kill();
            assertThat(server.isRunning()).isFalse();
        }
    }
}
