package io.redislock.testsupport;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;
import org.testcontainers.DockerClientFactory;

/**
 * A Redis server in a container, by Testcontainers. The image is {@code redis:7.4-alpine}, or what the system property
 * {@code redislock.docker.image} or else the environment variable {@code REDISLOCK_DOCKER_IMAGE} names: any image with
 * a {@code redis-server} on its path, so Valkey's too. It is pulled only if the engine does not have it.
 *
 * <p>A container left open ends with its JVM, or seconds after: Testcontainers sees to that, by a container of its own
 * ("Ryuk") or, where that is disabled, by a shutdown hook. A hook of ours would only race with it.
 */
public final class ContainerRedis implements RedisServer {

    static final String IMAGE_PROPERTY = "redislock.docker.image";
    static final String IMAGE_VARIABLE = "REDISLOCK_DOCKER_IMAGE";
    static final String DEFAULT_IMAGE = "redis:7.4-alpine";

    private static final int PORTS_TO_TRY = 20;
    private static final Duration RESTART_WITHIN = Duration.ofSeconds(10);

    private final String image;
    private final String host;
    private final int port;
    private final RedisContainer container;
    private final String id;

    private volatile boolean closed;

    private ContainerRedis(String image, String host, int port, RedisContainer container) {
        this.image = image;
        this.host = host;
        this.port = port;
        this.container = container;
        this.id = container.getContainerId();
    }

    /** Whether a Docker engine answers. The first call of a JVM looks, quietly; that takes seconds at most. */
    public static boolean engineAnswers() {
        return Engine.ANSWERS;
    }

    private static final class Engine {
        static final boolean ANSWERS = DockerEngine.answers();
    }

    /**
     * Starts a server and returns when it answers.
     *
     * @param config lines as in a redis.conf, for example {@code "maxmemory 10mb"}; they win over the defaults
     *     (memory only, {@code protected-mode no}), but {@code port} and {@code daemonize} are fixed
     * @throws IllegalStateException when no engine answers, or the server does not come up
     */
    public static ContainerRedis start(String... config) {
        RedisConf conf = RedisConf.with(config);
        if (!engineAnswers()) {
            throw new IllegalStateException("No Docker engine answers. Start one, set DOCKER_HOST, or run with -D"
                    + RedisChoice.PROPERTY + "=embedded");
        }
        String image = image();
        String engine = DockerClientFactory.instance().dockerHostIpAddress();
        // "localhost" may also mean ::1, where the port is not published.
        String host = engine.equals("localhost") ? "127.0.0.1" : engine;
        for (int attempt = 1; ; attempt++) {
            int port = FreePort.find();
            RedisContainer container = new RedisContainer(image, conf, host, port);
            try {
                container.start();
                return new ContainerRedis(image, host, port, container);
            } catch (RuntimeException e) {
                container.stop();
                if (!RedisContainer.isPortTaken(e) || attempt == PORTS_TO_TRY) {
                    throw new IllegalStateException("Could not start a container of " + image + " (without Docker: -D"
                            + RedisChoice.PROPERTY + "=embedded)\n" + container.said(), e);
                }
            }
        }
    }

    /** The image in force. */
    static String image() {
        String fromEnvironment = System.getenv().getOrDefault(IMAGE_VARIABLE, "");
        String image = System.getProperty(IMAGE_PROPERTY, "").isBlank()
                ? fromEnvironment
                : System.getProperty(IMAGE_PROPERTY);
        return image.isBlank() ? DEFAULT_IMAGE : image.strip();
    }

    @Override
    public String host() {
        return host;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public String describe() {
        return image + " (container " + id.substring(0, 12) + ") on " + host + ":" + port;
    }

    @Override
    public synchronized void pause() {
        requireOpen("pause");
        if (!isRunning()) {
            throw new IllegalStateException("Cannot pause, it is not running: " + describe());
        }
        if (!state("paused")) {
            tell("pause", docker -> docker.pauseContainerCmd(id).exec());
        }
    }

    @Override
    public synchronized void resume() {
        if (state("paused")) {
            tell("resume", docker -> docker.unpauseContainerCmd(id).exec());
        }
    }

    @Override
    public synchronized void kill() {
        if (!isRunning()) {
            return;
        }
        // Docker does not kill a paused container.
        resume();
        tell("kill", docker -> docker.killContainerCmd(id).exec());
        if (!Poll.until(RedisContainer.READY_WITHIN, () -> !isRunning())) {
            throw new IllegalStateException("Docker killed it, yet it runs: " + describe());
        }
    }

    @Override
    public synchronized void restart() {
        requireOpen("restart");
        kill();
        // It is this port or none, and whoever has it now may be gone soon.
        if (!Poll.until(RESTART_WITHIN, this::startsAgain)) {
            throw new IllegalStateException("Another program has taken port " + port + " since the server ended");
        }
        if (!Poll.until(RedisContainer.READY_WITHIN, () -> RedisPing.isReady(host, port))) {
            throw new IllegalStateException(
                    "It did not answer after its restart: " + describe() + ": " + container.said());
        }
    }

    private boolean startsAgain() {
        try {
            tell("restart", docker -> docker.startContainerCmd(id).exec());
            return true;
        } catch (IllegalStateException e) {
            if (RedisContainer.isPortTaken(e)) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public boolean isRunning() {
        return state("running", "paused");
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        resume();
        closed = true;
        container.stop();
    }

    // In the words of Docker: created, running, paused, restarting, removing, exited, dead.
    private boolean state(String... oneOf) {
        try {
            DockerClient docker = container.getDockerClient();
            return !closed && Set.of(oneOf).contains(docker.inspectContainerCmd(id).exec().getState().getStatus());
        } catch (NotFoundException removed) {
            return false;
        }
    }

    private void tell(String what, Consumer<DockerClient> command) {
        try {
            command.accept(container.getDockerClient());
        } catch (DockerException e) {
            throw new IllegalStateException("Docker could not " + what + " " + describe() + ": " + e.getMessage(), e);
        }
    }

    private void requireOpen(String what) {
        if (closed) {
            throw new IllegalStateException("Cannot " + what + ", it is closed: " + describe());
        }
    }
}
