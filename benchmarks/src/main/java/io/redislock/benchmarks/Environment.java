package io.redislock.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

import org.jspecify.annotations.Nullable;

/**
 * On what it was measured, without a date or a name of the machine.
 *
 * @param redis the server's version
 * @param jvm the virtual machine and its version
 * @param os the system and the processor's kind
 * @param cpus how many processors the JVM sees
 * @param versions of the libraries
 */
record Environment(String redis, String jvm, String os, int cpus, Map<String, String> versions) {

    static Environment here(ServerCounters server) {
        return new Environment(
                server.version(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                readVersions());
    }

    private static Map<String, String> readVersions() {
        Properties built = new Properties();
        try (InputStream in = Environment.class.getResourceAsStream("/versions.properties")) {
            if (in == null) {
                throw new IllegalStateException("versions.properties is not on the classpath");
            }
            built.load(in);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        Map<String, String> versions = new LinkedHashMap<>();
        for (String name : new String[] {
            "redislock", "lettuce", "reactor", "netty", "redisson", "springIntegration", "jmh"
        }) {
            @Nullable String version = built.getProperty(name);
            versions.put(name, version == null ? "unknown" : version);
        }
        return versions;
    }
}
