package io.redislock.benchmarks;

import java.util.List;
import java.util.stream.Collectors;

/** The suites there are. */
final class Suites {

    static final String ALL = "all";

    private static final List<Suite> SUITES = List.of(
            new UncontendedSuite(), new HandoffSuite(), new ProcessesSuite(), new WakeupSuite(), new IdleSuite(),
            new MemorySuite(), new ScaleSuite());

    private Suites() {}

    static List<Suite> named(String name) {
        if (name.equals(ALL)) {
            return SUITES;
        }
        List<Suite> found = SUITES.stream().filter(suite -> suite.name().equals(name)).toList();
        if (found.isEmpty()) {
            throw new UsageException("there is no suite " + name);
        }
        return found;
    }

    /** One line for each. */
    static String list() {
        return SUITES.stream()
                .map(suite -> "  %-12s %s (about %d s)".formatted(suite.name(), suite.description(),
                        suite.usualSeconds()))
                .collect(Collectors.joining("\n")) + "\n  all          one after the other";
    }
}
