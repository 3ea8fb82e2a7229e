package io.redislock.testsupport;

import java.time.Duration;
import java.util.List;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.output.ToStringConsumer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/** How a Redis container is set up: its configuration, its fixed port, and how it is known to be ready. */
final class RedisContainer extends GenericContainer<RedisContainer> {

    static final Duration READY_WITHIN = Duration.ofSeconds(60);

    private static final int PORT_INSIDE = 6379;
    private static final String CONF = "/redislock/redis.conf";

    // Kept here, because Testcontainers removes a container that does not come up together with its log.
    private final ToStringConsumer said = new ToStringConsumer();

    RedisContainer(String image, RedisConf conf, String host, int port) {
        super(DockerImageName.parse(image));
        // The port is fixed: one chosen by Docker changes when a killed container starts again. A local engine
        // publishes it to this machine only, for the server lets everybody in.
        String onlyHere = host.equals("127.0.0.1") ? "127.0.0.1:" : "";
        setPortBindings(List.of(onlyHere + port + ":" + PORT_INSIDE));
        withExposedPorts(PORT_INSIDE);
        withCopyToContainer(Transferable.of(conf.text(), 0644), CONF);
        setCommand("redis-server", CONF);
        withLogConsumer(said);
        waitingFor(new Answer(host, port));
    }

    /** What the server has logged so far, also after the container is gone. */
    String said() {
        return said.toUtf8String();
    }

    /** Whether a start failed because somebody else has the port. */
    static boolean isPortTaken(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            String message = String.valueOf(t.getMessage());
            if (message.contains("port is already allocated") || message.contains("address already in use")) {
                return true;
            }
        }
        return false;
    }

    /** Testcontainers' own strategies run a shell in the container or match its log; a reply says more. */
    private static final class Answer extends AbstractWaitStrategy {

        private final String host;
        private final int port;

        Answer(String host, int port) {
            this.host = host;
            this.port = port;
        }

        @Override
        protected void waitUntilReady() {
            Poll.until(READY_WITHIN, () -> RedisPing.isReady(host, port) || !waitStrategyTarget.isRunning());
            if (!waitStrategyTarget.isRunning() || !RedisPing.isReady(host, port)) {
                throw new ContainerLaunchException("redis-server did not answer on " + host + ":" + port);
            }
        }
    }
}
