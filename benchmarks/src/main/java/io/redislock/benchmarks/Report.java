package io.redislock.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Markdown table and an SVG chart of what was measured. */
final class Report {

    static final String TABLE = "performance.md";
    static final String CHART = "performance.svg";

    private final Environment environment;
    private final List<Row> rows;

    /** @param files of one machine; where two have the same row, the later one counts */
    Report(List<ResultFile> files) {
        this.environment = files.get(0).environment();
        List<Row> latest = new ArrayList<>();
        for (ResultFile file : files) {
            if (!file.environment().equals(environment)) {
                throw new UsageException("the files were measured on different machines or versions: "
                        + environment + " and " + file.environment());
            }
            file.rows().forEach(row -> {
                latest.removeIf(old -> old.library().equals(row.library()) && old.comparesWith(row));
                latest.add(row);
            });
        }
        this.rows = List.copyOf(latest);
    }

    void write(Path folder) {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(TABLE), new MarkdownTable(environment, rows).text());
            Files.writeString(folder.resolve(CHART), new BarChart(rows).svg());
        } catch (IOException unwritable) {
            throw new UncheckedIOException("Could not write to " + folder, unwritable);
        }
    }
}
