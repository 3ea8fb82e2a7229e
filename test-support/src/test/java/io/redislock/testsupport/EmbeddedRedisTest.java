package io.redislock.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedRedisTest extends RedisServerContract {

    @Override
    EmbeddedRedis start(String... config) {
        return EmbeddedRedis.start(config);
    }

    @Test
    void describeNamesProgramProcessAndAddress() {
        try (EmbeddedRedis server = start()) {
            assertThat(server.describe()).isEqualTo(
                    "embedded redis-server 7.0.15 (pid " + server.pid() + ") on 127.0.0.1:" + server.port());
            server.kill();
            assertThat(server.describe()).isEqualTo(
                    "embedded redis-server 7.0.15 (not running) on 127.0.0.1:" + server.port());
        }
    }

    @Test
    void pidIsThatOfTheServerThatAnswers() throws IOException {
        try (EmbeddedRedis server = start()) {
            long first = server.pid();
            assertThat(RedisPing.ask(server.host(), server.port())).contains("process_id:" + first + "\r\n");
            server.restart();
            assertThat(server.pid()).isNotEqualTo(first);
            assertThat(RedisPing.ask(server.host(), server.port())).contains("process_id:" + server.pid() + "\r\n");
        }
    }

    @Test
    void closedServerLeavesNoProcessAndNoFolder() throws IOException {
        Set<Long> before = children();
        EmbeddedRedis server = start();
        Path folder = folderOf(server);
        assertThat(folder).isDirectory();
        server.pause();
        server.restart();
        server.close();
        assertThat(folder).doesNotExist();
        assertThat(Poll.until(Duration.ofSeconds(5), () -> before.containsAll(children()))).isTrue();
    }

    @Test
    void failedStartLeavesNoProcessAndNoFolder() {
        Set<Long> before = children();
        // Other JVMs have folders there, too; this line tells which would be ours.
        String wrong = "no-such-directive " + UUID.randomUUID();
        assertThatThrownBy(() -> start(wrong).close()).isInstanceOf(IllegalStateException.class);
        assertThat(nodeFolders()).noneMatch(folder -> contains(folder.resolve("redis.conf"), wrong));
        assertThat(Poll.until(Duration.ofSeconds(5), () -> before.containsAll(children()))).isTrue();
    }

    @Test
    void manyServersStartAtOnce() {
        List<CompletableFuture<EmbeddedRedis>> starts = IntStream.range(0, 6)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> EmbeddedRedis.start()))
                .toList();
        List<EmbeddedRedis> servers = new ArrayList<>();
        try {
            starts.forEach(start -> servers.add(start.join()));
            assertThat(servers).extracting(EmbeddedRedis::port).doesNotHaveDuplicates();
        } finally {
            servers.forEach(EmbeddedRedis::close);
        }
    }

    @Test
    void portThatIsTakenIsToldApartFromOtherFailures(@TempDir Path folder) throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertPortTaken(folder, other.getLocalPort());
        }
    }

    @Test
    void anotherRedisOnThePortIsNotTakenForOurOwn(@TempDir Path folder) throws IOException {
        try (EmbeddedRedis other = start()) {
            assertPortTaken(folder, other.port());
            assertThat(other.isRunning()).isTrue();
        }
    }

    private static void assertPortTaken(Path folder, int port) throws IOException {
        Files.writeString(folder.resolve("redis.conf"), RedisConf.with().text("port " + port, "bind 127.0.0.1"));
        assertThatThrownBy(() -> RedisProcess.start(folder, port, false))
                .isInstanceOf(RedisProcess.PortTakenException.class)
                .hasMessageContaining(String.valueOf(port));
    }

    @Test
    void restartWaitsForItsPort() throws IOException {
        try (EmbeddedRedis server = start()) {
            server.kill();
            CompletableFuture<Void> restart;
            try (ServerSocket other = new ServerSocket(server.port(), 1, InetAddress.getLoopbackAddress())) {
                assertThat(other.isBound()).isTrue();
                restart = CompletableFuture.runAsync(server::restart);
                Path log = logOf(server);
                assertThat(Poll.until(Duration.ofSeconds(10), () -> contains(log, " in use"))).isTrue();
            }
            restart.join();
            assertThat(server.isRunning()).isTrue();
        }
    }

    @Test
    void lineOfSentinelStartsASentinel() throws IOException {
        try (EmbeddedRedis primary = start();
                EmbeddedRedis sentinel = start("sentinel monitor main 127.0.0.1 " + primary.port() + " 1");
                RespSocket redis = new RespSocket(sentinel.host(), sentinel.port())) {
            redis.send("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "main");
            assertThat(List.of(redis.reply(), redis.reply(), redis.reply()))
                    .containsExactly("*2", "127.0.0.1", String.valueOf(primary.port()));
            assertThat(sentinel.describe()).startsWith("embedded redis-sentinel");
            sentinel.restart();
            assertThat(sentinel.isRunning()).isTrue();
        }
    }

    @Test
    void clusterNodeKeepsItsIdentityOverARestart() throws IOException {
        try (EmbeddedRedis node = start("cluster-enabled yes")) {
            String id = clusterId(node);
            assertThat(id).hasSize(40);
            node.restart();
            assertThat(clusterId(node)).isEqualTo(id);
        }
    }

    private static String clusterId(EmbeddedRedis node) throws IOException {
        try (RespSocket redis = new RespSocket(node.host(), node.port())) {
            return redis.call("CLUSTER", "MYID");
        }
    }

    private static Path folderOf(EmbeddedRedis server) throws IOException {
        try (RespSocket redis = new RespSocket(server.host(), server.port())) {
            redis.send("CONFIG", "GET", "dir");
            redis.reply();
            redis.reply();
            return Path.of(redis.reply());
        }
    }

    private static Path logOf(EmbeddedRedis server) {
        return nodeFolders().stream()
                .filter(folder -> contains(folder.resolve("redis.conf"), "port " + server.port() + "\n"))
                .findFirst()
                .orElseThrow()
                .resolve("redis.log");
    }

    private static boolean contains(Path file, String text) {
        try {
            return Files.readString(file).contains(text);
        } catch (IOException notThere) {
            return false;
        }
    }

    private static Set<Path> nodeFolders() {
        try (var paths = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return paths.filter(path -> path.getFileName().toString().startsWith("redislock-node-"))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Set<Long> children() {
        return ProcessHandle.current().descendants().map(ProcessHandle::pid).collect(Collectors.toSet());
    }
}
