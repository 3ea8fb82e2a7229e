package io.redislock.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;

/**
 * Finds out whether a Docker engine answers, quickly and quietly. Testcontainers alone logs an error with stack traces
 * when there is none, which is the normal case for people without Docker. So the places where it would look are asked
 * first, and it is asked only if an engine answered there.
 */
final class DockerEngine {

    private static final String UNIX = "unix://";
    private static final String PING = "GET /_ping HTTP/1.0\r\nHost: docker\r\n\r\n";
    private static final long TIMEOUT_MILLIS = 2000;

    private DockerEngine() {}

    static boolean answers() {
        if (System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows")) {
            return testcontainersAgrees();   // it knows named pipes, and there is no embedded server to prefer
        }
        return places().anyMatch(DockerEngine::answersAt) && testcontainersAgrees();
    }

    private static boolean testcontainersAgrees() {
        try {
            return DockerClientFactory.instance().isDockerAvailable();
        } catch (RuntimeException unusable) {
            // For instance an engine that cannot pull the image of Testcontainers' own helper; it has logged that.
            return false;
        }
    }

    // Its settings are read here because its own class for them takes most of a second to load.
    private static Stream<String> places() {
        String home = System.getProperty("user.home");
        Properties settings = new Properties();
        try (InputStream file = Files.newInputStream(Path.of(home, ".testcontainers.properties"))) {
            settings.load(file);
        } catch (IOException | IllegalArgumentException none) {
            // Then the usual places it is.
        }
        String runtime = System.getenv("XDG_RUNTIME_DIR");
        return Stream.of(
                        System.getenv("DOCKER_HOST"),
                        settings.getProperty("docker.host"),
                        settings.getProperty("tc.host"),
                        UNIX + "/var/run/docker.sock",
                        runtime == null ? null : UNIX + runtime + "/docker.sock",
                        UNIX + home + "/.docker/run/docker.sock",
                        UNIX + home + "/.docker/desktop/docker.sock")
                .filter(Objects::nonNull);
    }

    private static boolean answersAt(String place) {
        try (SocketChannel channel = place.startsWith(UNIX)
                        ? SocketChannel.open(StandardProtocolFamily.UNIX)
                        : SocketChannel.open();
                Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            if (!channel.connect(address(place))
                    && (selector.select(TIMEOUT_MILLIS) == 0 || !channel.finishConnect())) {
                return false;
            }
            channel.write(ByteBuffer.wrap(PING.getBytes(StandardCharsets.US_ASCII)));
            key.interestOps(SelectionKey.OP_READ);
            selector.selectedKeys().clear();
            ByteBuffer start = ByteBuffer.allocate(64);
            // An engine that wants TLS refuses this request, but it does so as an HTTP server.
            return selector.select(TIMEOUT_MILLIS) > 0
                    && channel.read(start) > 0
                    && new String(start.array(), StandardCharsets.US_ASCII).startsWith("HTTP/");
        } catch (IOException | RuntimeException nobody) {
            return false;   // also when the address makes no sense
        }
    }

    private static SocketAddress address(String place) {
        if (place.startsWith(UNIX)) {
            return UnixDomainSocketAddress.of(place.substring(UNIX.length()));
        }
        URI uri = URI.create(place);
        return new InetSocketAddress(uri.getHost(), uri.getPort());
    }
}
