package io.redislock.testsupport;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The servers nobody has closed yet. A shutdown hook ends them, so that Ctrl-C leaves neither process nor folder. */
final class OpenServers {

    private static final Map<RedisServer, Runnable> OPEN = new ConcurrentHashMap<>();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(OpenServers::endAll, "redislock-open-servers"));
    }

    private OpenServers() {}

    /** Has {@code end} run when the JVM ends, unless the server is removed before. */
    static void add(RedisServer server, Runnable end) {
        OPEN.put(server, end);
    }

    static void remove(RedisServer server) {
        OPEN.remove(server);
    }

    private static void endAll() {
        OPEN.forEach((server, end) -> {
            try {
                end.run();
            } catch (RuntimeException failure) {
                // Loggers may be gone by now, and the others still have to end.
                System.err.println("Could not end " + server.describe() + ": " + failure);
            }
        });
    }
}
