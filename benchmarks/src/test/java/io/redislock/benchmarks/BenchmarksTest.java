package io.redislock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarksTest {

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();
    private final Benchmarks benchmarks = new Benchmarks(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(progress, true, StandardCharsets.UTF_8));

    @Test
    void aSuiteRunsOnItsOwnRedisAndItsResultsMakeAReport() {
        Path json = folder.resolve("results.json");
        assertThat(benchmarks.run("wakeup", "--seconds", "1", "--json", json.toString())).isZero();
        assertThat(ResultFile.read(json).rows())
                .allSatisfy(row -> assertThat(row.value()).isPositive())
                .extracting(Row::library)
                .contains("reactive-redis-lock", "redisson", "spring-integration", "polling");
        assertThat(ResultFile.read(json).environment().redis()).isEqualTo("7.0.15");
        assertThat(ResultFile.read(json).environment().versions().values()).noneMatch(each -> each.contains("$"));
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("p99");

        assertThat(benchmarks.run("report", json.toString(), "--out", folder.toString())).isZero();
        assertThat(folder.resolve("performance.md")).content().contains("wakeup: p50, 1 waiter");
        assertThat(folder.resolve("performance.svg")).exists();
    }

    @Test
    void aMistakeIsExplainedWithTheUsage() {
        assertThat(benchmarks.run("nonsense")).isEqualTo(2);
        assertThat(progress.toString(StandardCharsets.UTF_8))
                .startsWith("there is no suite nonsense").contains("usage:").contains("uncontended");
        assertThat(out.size()).isZero();
    }
}
