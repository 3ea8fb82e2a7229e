package io.redislock.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redislock.reactor.micrometer.MicrometerLockListener;
import org.junit.jupiter.api.Test;

/** The table of meters names every meter that there is, its type, and every value of its tags. */
class ReadmeMetersTest {

    private static final Pattern ROW = Pattern.compile("^\\| `(redislock\\.[\\w.]+)` \\| (\\w+) \\| (.*?) ?\\|",
            Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("`(\\w+)`");

    @Test
    void theTableIsThatOfTheMetersThereAre() throws IOException {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new MicrometerLockListener(registry).acquired("orders", "order:1", Duration.ZERO, 1);

        assertThat(described()).isEqualTo(registered(registry));
    }

    /** Each meter with its type, and what stands in its tags beside the name of the lock, which all have. */
    private static Map<String, Set<String>> registered(SimpleMeterRegistry registry) {
        Map<String, Set<String>> tags = new TreeMap<>();
        for (Meter meter : registry.getMeters()) {
            Meter.Id id = meter.getId();
            assertThat(id.getTag("lock")).isEqualTo("orders");
            Set<String> others = tags.computeIfAbsent(id.getName() + " " + id.getType().name().toLowerCase(Locale.ROOT),
                    first -> new TreeSet<>());
            id.getTags().stream().filter(tag -> !tag.getKey().equals("lock"))
                    .forEach(tag -> others.addAll(List.of(tag.getKey(), tag.getValue())));
        }
        return tags;
    }

    private static Map<String, Set<String>> described() throws IOException {
        return ROW.matcher(Readme.text()).results().collect(Collectors.toMap(
                (MatchResult row) -> row.group(1) + " " + row.group(2),
                row -> CODE.matcher(row.group(3)).results().map((MatchResult code) -> code.group(1))
                        .collect(Collectors.toSet())));
    }
}
