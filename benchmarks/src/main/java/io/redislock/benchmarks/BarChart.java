package io.redislock.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/** Two panels of bars, one for locks that nobody else wants and one for a hot key. Readable on light and dark. */
final class BarChart {

    private static final int WIDTH = 860;
    private static final int PANEL_HEIGHT = 250;
    private static final int BARS_HEIGHT = 160;
    private static final int LEFT = 20;
    private static final int GAP = 28;

    private final List<Row> rows;
    private final StringBuilder svg = new StringBuilder();

    BarChart(List<Row> rows) {
        this.rows = rows;
    }

    String svg() {
        List<Row> cycles = of("uncontended", "cycles");
        List<Row> grants = of("handoff", "grants");
        int panels = (cycles.isEmpty() ? 0 : 1) + (grants.isEmpty() ? 0 : 1);
        int height = 50 + Math.max(1, panels) * PANEL_HEIGHT;
        svg.append("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" \
                role="img" font-family="system-ui, sans-serif" font-size="12">
                <title>Locks per second of several libraries</title>
                <style>
                  text { fill: #1f2328 } .axis { stroke: #8c959f }
                  .REACTIVE_REDIS_LOCK { fill: #1a7f37 } .LETTUCE { fill: #0969da } .REDISSON { fill: #bc4c00 }
                  .SPRING_INTEGRATION { fill: #8250df } .POLLING { fill: #6e7781 }
                  @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } }
                </style>
                """.formatted(WIDTH, height));
        legend();
        int top = 50;
        if (!cycles.isEmpty()) {
            panel(top, "A free key: acquire + release per second, by how many are in flight", cycles);
            top += PANEL_HEIGHT;
        }
        if (!grants.isEmpty()) {
            panel(top, "One hot key in one process: grants per second, by how many wait", grants);
        }
        return svg.append("</svg>\n").toString();
    }

    private List<Row> of(String suite, String measure) {
        return rows.stream().filter(row -> row.suite().equals(suite) && row.measure().equals(measure)).toList();
    }

    private void legend() {
        int x = LEFT;
        for (LockLibrary library : shown(rows)) {
            element("<rect class=\"%s\" x=\"%d\" y=\"12\" width=\"12\" height=\"12\"/>", library.name(), x);
            element("<text x=\"%d\" y=\"22\">%s</text>", x + 18, library.title());
            x += 50 + 7 * library.title().length();
        }
    }

    private static List<LockLibrary> shown(List<Row> rows) {
        return Arrays.stream(LockLibrary.values())
                .filter(library -> rows.stream().anyMatch(row -> row.library().equals(library.label())))
                .toList();
    }

    private void panel(int top, String title, List<Row> panel) {
        List<Integer> groups = panel.stream().map(BarChart::group).filter(Objects::nonNull).distinct().toList();
        List<LockLibrary> libraries = shown(panel);
        double most = panel.stream().mapToDouble(Row::value).max().orElse(1);
        double groupWidth = (double) (WIDTH - 2 * LEFT) / groups.size();
        double barWidth = (groupWidth - GAP) / libraries.size();
        int bottom = top + 42 + BARS_HEIGHT;
        element("<text x=\"%d\" y=\"%d\" font-size=\"14\" font-weight=\"600\">%s</text>", LEFT, top + 16, title);
        for (int g = 0; g < groups.size(); g++) {
            double x = LEFT + g * groupWidth + GAP / 2.0;
            for (LockLibrary library : libraries) {
                bar(value(panel, library, groups.get(g)), most, x, barWidth, bottom, library);
                x += barWidth;
            }
            element("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                    LEFT + (g + 0.5) * groupWidth, bottom + 18, Numbers.grouped(groups.get(g)));
        }
        element("<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>", LEFT, bottom, WIDTH - LEFT, bottom);
    }

    private static @Nullable Integer group(Row row) {
        return row.setting().inFlight() != null ? row.setting().inFlight() : row.setting().waiters();
    }

    private static double value(List<Row> panel, LockLibrary library, Integer group) {
        return panel.stream()
                .filter(row -> row.library().equals(library.label()) && group.equals(group(row)))
                .mapToDouble(Row::value).findFirst().orElse(Double.NaN);
    }

    private void bar(double value, double most, double x, double width, int bottom, LockLibrary library) {
        if (Double.isNaN(value)) {
            return;
        }
        double height = Math.max(1, value / most * BARS_HEIGHT);
        element("<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                library.name(), x + 1, bottom - height, width - 2, height);
        element("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"10\">%s</text>",
                x + width / 2, bottom - height - 4, brief(value));
    }

    private static String brief(double value) {
        return value >= 1_000 ? Numbers.shown(value / 1_000) + "k" : Numbers.shown(value);
    }

    private void element(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
