package io.redislock.spring.boot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The README's table of properties says of each what the metadata in the jar says. */
class ReadmePropertiesTest {

    private static final Pattern ROW =
            Pattern.compile("^\\| `([a-z.-]+)` \\| (.*?) \\| (.*?) \\|$", Pattern.MULTILINE);

    @Test
    void theTableIsTheMetadata() throws IOException {
        Map<String, String> metadata = new TreeMap<>();
        Metadata.properties().forEach((name, property) -> metadata.put(name,
                shown(property.get("defaultValue")) + " | " + property.get("description")));

        assertThat(table()).isEqualTo(metadata);
    }

    private static String shown(Object defaultValue) {
        return defaultValue == null || defaultValue.equals("") ? "none" : "`" + defaultValue + "`";
    }

    private static Map<String, String> table() throws IOException {
        String section = Files.readString(readme())
                .replaceFirst("(?s).*\n## Spring Boot\n", "").replaceFirst("(?s)\n## .*", "");
        return ROW.matcher(section).results().collect(Collectors.toMap(
                (MatchResult row) -> row.group(1), row -> row.group(2) + " | " + row.group(3)));
    }

    /** Of the project: the nearest one above. */
    private static Path readme() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("README.md"))) {
            folder = folder.getParent();
        }
        return folder.resolve("README.md");
    }
}
