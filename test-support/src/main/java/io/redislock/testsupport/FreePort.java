package io.redislock.testsupport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds a port for a server whose port must survive its restart.
 *
 * <p>Not port 0: that gives one from the range outgoing connections use, and while the server is down, any connection
 * of any process may take it. Worse, a client that keeps reconnecting to such a port can be connected to itself. The
 * range here lies below it, and below the bus ports (10,000 higher) that Cluster nodes open.
 */
final class FreePort {

    private static final int LOWEST = 10_000;
    private static final int BEYOND = 20_000;

    private FreePort() {}

    /** A port that was free a moment ago. Somebody else may take it first, so the caller must be ready to try again. */
    static int find() {
        IOException last = null;
        for (int attempt = 0; attempt < 100; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, BEYOND);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return probe.getLocalPort();
            } catch (IOException taken) {
                last = taken;
            }
        }
        throw new IllegalStateException("No free port between " + LOWEST + " and " + BEYOND, last);
    }
}
