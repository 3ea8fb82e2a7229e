package io.redislock.examples.webflux;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Two ports that were free a moment ago. They are not from the range of outgoing connections, any of which could take
 * them before they are used.
 */
final class FreePorts {

    private static final int LOWEST = 20_000;
    private static final int BEYOND = 30_000;

    private FreePorts() {
    }

    static List<Integer> two() {
        return ThreadLocalRandom.current().ints(LOWEST, BEYOND).distinct().filter(FreePorts::isFree).limit(2).boxed()
                .toList();
    }

    private static boolean isFree(int port) {
        try {
            new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
