package io.redislock.reactor;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.UnaryOperator;

import io.lettuce.core.RedisClient;
import io.redislock.testsupport.RedisServer;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The locks on a class path without Micrometer and what comes with it, as most users have it. */
class WithoutMicrometerTest {

    private static final String LISTENER = "io.redislock.reactor.micrometer.MicrometerLockListener";

    /** Runs in there; only types of the JDK pass through. */
    public static final class Program implements UnaryOperator<String> {

        @Override
        public String apply(String uri) {
            try (RedisClient client = RedisClient.create(uri)) {
                ReactiveRedisLocks locks = ReactiveRedisLocks.create(client);
                String result = locks.withLock("WithoutMicrometerTest", lock -> Mono.just("worked")).block();
                locks.close().block();
                return result;
            }
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void locksWorkAndOnlyTheListenerCannotBeMade() throws Exception {
        ClassLoader ordinary = Thread.currentThread().getContextClassLoader();
        try (RedisServer server = RedisServer.shared(); URLClassLoader without = classPathWithoutMicrometer()) {
            // Where Lettuce looks classes up by name.
            Thread.currentThread().setContextClassLoader(without);
            UnaryOperator<String> program = (UnaryOperator<String>) without.loadClass(Program.class.getName())
                    .getDeclaredConstructor().newInstance();

            assertThat(program).isNotInstanceOf(Program.class);
            assertThat(program.apply(server.uri())).isEqualTo("worked");
            assertThatThrownBy(() -> without.loadClass(LISTENER).getConstructors())
                    .isInstanceOf(NoClassDefFoundError.class)
                    .hasMessageContaining("io/micrometer");
        } finally {
            Thread.currentThread().setContextClassLoader(ordinary);
        }
    }

    private static URLClassLoader classPathWithoutMicrometer() {
        URL[] entries = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.replace('\\', '/').contains("/io/micrometer/"))
                .map(WithoutMicrometerTest::url)
                .toArray(URL[]::new);
        return new URLClassLoader(entries, ClassLoader.getPlatformClassLoader());
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
