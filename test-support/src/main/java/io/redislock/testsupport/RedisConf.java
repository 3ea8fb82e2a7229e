package io.redislock.testsupport;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The lines of a redis.conf: what every server here has in common, then what the test asked for, which wins.
 *
 * <p>A file rather than command-line arguments: Redis then reads quoted and many-valued directives exactly as written,
 * and Sentinel, which rewrites its configuration, does not start without one.
 */
final class RedisConf {

    /** Set by whoever starts the server; changing them would make it unreachable or orphaned. */
    private static final Set<String> FIXED = Set.of("port", "daemonize");

    private final List<String> lines = new ArrayList<>();
    private boolean sentinel;

    private RedisConf() {}

    /**
     * A memory-only server without password protection of remote access, plus the given lines.
     *
     * @throws IllegalArgumentException when a line is blank, is several, or sets what the fixture sets
     */
    static RedisConf with(String... config) {
        RedisConf conf = new RedisConf();
        conf.lines.add("save \"\"");
        conf.lines.add("appendonly no");
        conf.lines.add("daemonize no");
        conf.lines.add("protected-mode no");
        for (String line : config) {
            conf.add(line);
        }
        return conf;
    }

    private void add(String line) {
        String directive = line.strip().replaceFirst("^--", "");
        if (directive.isEmpty() || directive.lines().count() > 1) {
            throw new IllegalArgumentException("Not one configuration line: \"" + line + "\"");
        }
        String name = directive.split("\\s", 2)[0].toLowerCase(Locale.ROOT);
        if (FIXED.contains(name)) {
            throw new IllegalArgumentException("\"" + name + "\" is set by the fixture: \"" + line + "\"");
        }
        if (name.equals("sentinel")) {
            sentinel = true;
        }
        if (!directive.equals("sentinel")) {
            lines.add(directive);
        }
    }

    /** Whether a line only Sentinel understands was given (or a bare {@code sentinel}): then it is to run as one. */
    boolean isSentinel() {
        return sentinel;
    }

    /** The text of the file, with these lines before those of the test. */
    String text(String... first) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(lines);
        return String.join("\n", all) + "\n";
    }
}
