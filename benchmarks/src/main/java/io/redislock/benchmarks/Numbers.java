package io.redislock.benchmarks;

import java.util.Locale;

/** Numbers as people read them. */
final class Numbers {

    private Numbers() {}

    /** {@code 12,345}. */
    static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Three digits that matter, or all of those before the point: {@code 12,345}, {@code 123}, {@code 1.23}. */
    static String shown(double value) {
        double size = Math.abs(value);
        if (size >= 99.95 || value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, size >= 9.995 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.3f", value);
    }
}
