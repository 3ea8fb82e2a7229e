package io.redislock.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/** The rows of a run, in the order in which they were measured. */
final class Results {

    private final List<Row> rows = new ArrayList<>();
    private final Consumer<Row> listener;

    /** @param listener told of each row as it is measured, before there are ratios */
    Results(Consumer<Row> listener) {
        this.listener = listener;
    }

    void add(Row row) {
        rows.add(row);
        listener.accept(row);
    }

    /** With the ratios to Lettuce and Redisson. A library has no ratio to itself, nor to nothing. */
    List<Row> rows() {
        return rows.stream()
                .map(row -> row.with(ratio(row, LockLibrary.LETTUCE), ratio(row, LockLibrary.REDISSON)))
                .toList();
    }

    private @Nullable Double ratio(Row row, LockLibrary peer) {
        if (row.library().equals(peer.label())) {
            return null;
        }
        return rows.stream()
                .filter(other -> other.library().equals(peer.label()) && other.comparesWith(row) && other.value() != 0)
                .findFirst()
                .map(other -> row.value() / other.value())
                .orElse(null);
    }
}
