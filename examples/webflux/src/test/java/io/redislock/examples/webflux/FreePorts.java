package io.redislock.examples.webflux;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;

/** Two ports that were free a moment ago. */
final class FreePorts {

    private FreePorts() {
    }

    static List<Integer> two() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket one = new ServerSocket(0, 1, loopback);
                ServerSocket other = new ServerSocket(0, 1, loopback)) {
            return List.of(one.getLocalPort(), other.getLocalPort());
        }
    }
}
