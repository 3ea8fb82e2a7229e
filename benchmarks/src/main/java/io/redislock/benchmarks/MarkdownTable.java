package io.redislock.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** One line for each thing measured, one column for each library. */
final class MarkdownTable {

    private final Environment environment;
    private final List<Row> rows;

    MarkdownTable(Environment environment, List<Row> rows) {
        this.environment = environment;
        this.rows = rows;
    }

    String text() {
        List<LockLibrary> columns = Arrays.stream(LockLibrary.values())
                .filter(library -> rows.stream().anyMatch(row -> row.library().equals(library.label())))
                .toList();
        StringBuilder text = new StringBuilder();
        text.append("| What | Unit |");
        columns.forEach(column -> text.append(' ').append(column.title(environment.versions())).append(" |"));
        text.append(" ÷ Lettuce | ÷ Redisson |\n|---|---|").append("--:|".repeat(columns.size() + 2)).append('\n');
        lines().values().forEach(line -> text.append(line(line, columns)).append('\n'));
        text.append('\n').append(origin()).append('\n');
        return text.toString();
    }

    // What a process got is in the JSON; the smallest share and the worst wait stand for it here.
    private Map<String, List<Row>> lines() {
        Map<String, List<Row>> lines = new LinkedHashMap<>();
        rows.stream()
                .filter(row -> row.setting().process() == null)
                .forEach(row -> lines.computeIfAbsent(
                        row.suite() + "/" + row.measure() + "/" + row.setting(), absent -> new ArrayList<>()).add(row));
        return lines;
    }

    private static String line(List<Row> compared, List<LockLibrary> columns) {
        Row any = compared.get(0);
        StringBuilder text = new StringBuilder("| %s: %s, %s | %s |".formatted(
                any.suite(), any.measure(), any.setting(), any.unit()));
        columns.forEach(column -> {
            Double value = value(compared, column);
            text.append(' ').append(value == null ? "–" : Numbers.shown(value)).append(" |");
        });
        text.append(ratio(compared, LockLibrary.LETTUCE)).append(ratio(compared, LockLibrary.REDISSON));
        return text.toString();
    }

    /** Of this library's value to that of a peer. */
    private static String ratio(List<Row> compared, LockLibrary peer) {
        Double ours = value(compared, LockLibrary.REACTIVE_REDIS_LOCK);
        Double theirs = value(compared, peer);
        return ours == null || theirs == null || theirs == 0 ? " – |" : " " + Numbers.shown(ours / theirs) + " |";
    }

    private static @Nullable Double value(List<Row> compared, LockLibrary library) {
        return compared.stream()
                .filter(row -> row.library().equals(library.label()))
                .findFirst()
                .map(Row::value)
                .orElse(null);
    }

    private String origin() {
        return "Redis %s and its clients on one machine, %d processors, %s, %s. Medians of turns, one library after "
                .formatted(environment.redis(), environment.cpus(), environment.os(), environment.jvm())
                + "the other, in one run; the last two columns are this library's value divided by theirs.";
    }
}
