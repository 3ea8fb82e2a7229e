package io.redislock.benchmarks;

import java.time.Duration;
import java.util.Collection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;

/** What the server says of itself, on a connection that only asks for that. */
final class ServerCounters implements AutoCloseable {

    private static final Pattern VERSION = Pattern.compile("(?m)^(valkey|redis)_version:(\\S+)");

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    ServerCounters(RedisURI redis) {
        this.client = RedisClient.create(redis);
        this.connection = client.connect();
    }

    String version() {
        String info = connection.sync().info("server");
        String version = "unknown";
        Matcher found = VERSION.matcher(info);
        while (found.find()) {
            // A Valkey says both, and what it says as Redis is what it is compatible with.
            if (found.group(1).equals("valkey")) {
                return "Valkey " + found.group(2);
            }
            version = found.group(2);
        }
        return version;
    }

    /** How often clients have sent one of these commands. Beware that scripts' own calls count as well. */
    long calls(Collection<String> commands) {
        String info = connection.sync().info("commandstats");
        return commands.stream().mapToLong(command -> calls(info, command)).sum();
    }

    static long calls(String commandstats, String command) {
        Matcher found = Pattern.compile("(?m)^cmdstat_" + Pattern.quote(command) + ":calls=(\\d+)")
                .matcher(commandstats);
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
