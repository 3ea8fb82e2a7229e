package io.redislock.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However a JVM ends, it leaves neither servers nor their folders. */
class EndOfJvmTest {

    /** Leaves two servers open, one of them paused, and says where they are. */
    static final class LeavesServersOpen {
        public static void main(String... args) throws InterruptedException {
            EmbeddedRedis running = EmbeddedRedis.start();
            EmbeddedRedis paused = EmbeddedRedis.start();
            paused.pause();
            System.out.println(running.port());
            System.out.println(paused.port());
            Thread.sleep(Duration.ofMinutes(5).toMillis());
        }
    }

    @Test
    void jvmThatIsToldToEndLeavesNothing(@TempDir Path tmpdir) throws Exception {
        try (ChildJvm jvm = ChildJvm.start(tmpdir, LeavesServersOpen.class)) {
            int running = Integer.parseInt(jvm.line());
            int paused = Integer.parseInt(jvm.line());
            assertThat(nodeFolders(tmpdir)).isEqualTo(2);
            jvm.terminate();
            jvm.exitValue();
            assertThat(RedisPing.isListening("127.0.0.1", running)).isFalse();
            assertThat(RedisPing.isListening("127.0.0.1", paused)).isFalse();
            assertThat(nodeFolders(tmpdir)).isZero();
        }
    }

    @Test
    void jvmThatIsKilledLeavesNothing(@TempDir Path tmpdir) throws Exception {
        try (ChildJvm jvm = ChildJvm.start(tmpdir, LeavesServersOpen.class)) {
            int running = Integer.parseInt(jvm.line());
            int paused = Integer.parseInt(jvm.line());
            jvm.kill();
            assertThat(Poll.until(Duration.ofSeconds(10), () -> !RedisPing.isListening("127.0.0.1", running)
                    && !RedisPing.isListening("127.0.0.1", paused)
                    && nodeFolders(tmpdir) == 0)).isTrue();
        }
    }

    private static long nodeFolders(Path tmpdir) {
        try (Stream<Path> paths = Files.list(tmpdir)) {
            return paths.filter(path -> path.getFileName().toString().startsWith("redislock-node-")).count();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
