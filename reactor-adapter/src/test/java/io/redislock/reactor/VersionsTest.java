package io.redislock.reactor;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import io.lettuce.core.LettuceVersion;
import io.netty.util.Version;
import kotlin.KotlinVersion;
import kotlinx.coroutines.Job;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/** Which libraries this suite has met, so that a run on the oldest or the newest shows that it was one. */
class VersionsTest {

    @Test
    void versionsAreSaidInTheOutput() {
        System.out.println("Tested with Lettuce " + lettuce() + ", Reactor " + reactor() + ", Netty " + netty()
                + ", Kotlin " + kotlin() + ", coroutines " + coroutines() + ", Java " + Runtime.version());

        assertThat(lettuce()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(reactor()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(netty()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(kotlin()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(coroutines()).matches("\\d+\\.\\d+\\.\\d+.*");
    }

    @Test
    void lettuceIsTheOneThatIsExpected() {
        String expected = System.getProperty("redislock.expected.lettuce", "");
        assumeThat(expected).as("-Dredislock.expected.lettuce").isNotBlank();

        assertThat(lettuce()).isEqualTo(expected);
    }

    @Test
    void reactorIsTheOneThatIsExpected() {
        String expected = System.getProperty("redislock.expected.reactor", "");
        assumeThat(expected).as("-Dredislock.expected.reactor").isNotBlank();

        assertThat(reactor()).isEqualTo(expected);
    }

    @Test
    void kotlinAndItsCoroutinesAreThoseThatAreExpected() {
        String expected = System.getProperty("redislock.expected.kotlin", "");
        assumeThat(expected).as("-Dredislock.expected.kotlin").isNotBlank();

        assertThat(kotlin() + " " + coroutines()).isEqualTo(expected);
    }

    /** As its artifact has it, {@code 7.7.0.RELEASE}: the commit after the slash is left out. */
    private static String lettuce() {
        return LettuceVersion.getVersion().split("/")[0];
    }

    private static String reactor() {
        return Mono.class.getPackage().getImplementationVersion();
    }

    private static String netty() {
        Map<String, Version> artifacts = new TreeMap<>(Version.identify());
        return artifacts.get("netty-common").artifactVersion();
    }

    private static String kotlin() {
        return KotlinVersion.CURRENT.toString();
    }

    private static String coroutines() {
        String resource = "/META-INF/kotlinx_coroutines_core.version";
        try (InputStream version = Job.class.getResourceAsStream(resource)) {
            return new String(Objects.requireNonNull(version, resource).readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
