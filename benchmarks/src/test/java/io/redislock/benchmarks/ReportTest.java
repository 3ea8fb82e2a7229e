package io.redislock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

class ReportTest {

    @TempDir
    Path folder;

    private ResultFile sample;

    @BeforeEach
    void read() throws Exception {
        try (var in = ReportTest.class.getResourceAsStream("/sample.json")) {
            sample = ResultFile.fromJson(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void theTableHasALineForEachMeasureAndAColumnForEachLibrary() throws Exception {
        new Report(List.of(sample)).write(folder);
        assertThat(Files.readString(folder.resolve("performance.md"))).isEqualTo("""
                | What | Unit | reactive-redis-lock | Lettuce by hand 7.7.0 | Redisson 4.7.0 \
                | ÷ Lettuce | ÷ Redisson |
                |---|---|--:|--:|--:|--:|--:|
                | uncontended: cycles, 64 in flight | cycles/s | 100,000 | 50,000 | 10,000 | 2 | 10 |
                | processes: smallest share, 16 waiters | % | – | – | 21.3 | – | – |

                Redis 7.0.15 and its clients on one machine, 2 processors, Linux amd64, Some VM 17. Medians of turns, \
                one library after the other, in one run; the last two columns are this library's value divided by \
                theirs.
                """);
    }

    @Test
    void theChartIsXmlWithABarForEachValue() throws Exception {
        new Report(List.of(sample)).write(folder);
        byte[] svg = Files.readAllBytes(folder.resolve("performance.svg"));
        Document chart = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(svg));
        // Three bars, and three squares in the legend.
        assertThat(chart.getElementsByTagName("rect").getLength()).isEqualTo(6);
        assertThat(chart.getElementsByTagName("text").item(3).getTextContent()).startsWith("A free key");
    }

    @Test
    void ofTwoFilesTheLaterOneCounts() throws Exception {
        Row newer = Row.of("uncontended", "cycles", LockLibrary.LETTUCE, Setting.inFlight(64), 55_000, "cycles/s");
        new Report(List.of(sample, new ResultFile(sample.environment(), List.of(newer)))).write(folder);
        assertThat(Files.readString(folder.resolve("performance.md"))).contains("55,000").doesNotContain("50,000");
    }

    @Test
    void filesOfDifferentMachinesAreNotMixed() {
        Environment other = new Environment("7.4.0", "Some VM 17", "Linux amd64", 8, Map.of());
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> new Report(List.of(sample, new ResultFile(other, List.of()))))
                .withMessageContaining("different machines or versions");
    }
}
