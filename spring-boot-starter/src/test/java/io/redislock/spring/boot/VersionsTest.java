package io.redislock.spring.boot;

import io.lettuce.core.LettuceVersion;
import io.netty.util.Version;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** What the tests of this run have met: they run on several versions of Spring Boot, and each is to be a real one. */
class VersionsTest {

    @Test
    void theTestsRunOnTheVersionsOfTheModule() {
        System.out.println("Tested with Spring Boot " + SpringBootVersion.getVersion() + ", Lettuce " + lettuce()
                + ", Reactor " + reactor() + ", Spring Data Redis " + springDataRedis() + ", Netty "
                + Version.identify().get("netty-common").artifactVersion() + ", Java " + Runtime.version());

        assertThat(SpringBootVersion.getVersion()).isEqualTo(expected("boot"));
        assertThat(lettuce()).isEqualTo(expected("lettuce"));
        assertThat(reactor()).isEqualTo(expected("reactor"));
        assertThat(springDataRedis()).matches("\\d+\\.\\d+\\.\\d+");
    }

    private static String expected(String of) {
        String version = System.getProperty("redislock.expected." + of);
        assertThat(version).as("-Dredislock.expected." + of).isNotBlank();
        return version;
    }

    private static String lettuce() {
        return LettuceVersion.getVersion().split("/")[0];
    }

    private static String reactor() {
        return Mono.class.getPackage().getImplementationVersion();
    }

    private static String springDataRedis() {
        return LettuceConnectionFactory.class.getPackage().getImplementationVersion();
    }
}
