package io.redislock.benchmarks;

import java.util.Collection;

/** What one number says of many. */
final class Samples {

    private Samples() {}

    /** The one in the middle, or the mean of the two in the middle. */
    static double median(Collection<Double> values) {
        double[] sorted = sorted(values);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The smallest value that at least so many percent of all do not exceed. */
    static double percentile(Collection<Double> values, double percent) {
        double[] sorted = sorted(values);
        int rank = (int) Math.ceil(percent / 100 * sorted.length);
        return sorted[Math.max(0, rank - 1)];
    }

    private static double[] sorted(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
        return values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }
}
