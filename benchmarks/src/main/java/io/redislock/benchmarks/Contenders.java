package io.redislock.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Several other processes that do the same at the same time. */
final class Contenders implements AutoCloseable {

    private final List<ContenderProcess> processes = new ArrayList<>();

    private Contenders() {}

    static Contenders start(int count, String redis, String heap) {
        Contenders started = new Contenders();
        boolean complete = false;
        try {
            for (int i = 0; i < count; i++) {
                started.processes.add(ContenderProcess.start(redis, heap));
            }
            complete = true;
            return started;
        } finally {
            if (!complete) {
                started.close();
            }
        }
    }

    /** Gives all an order, then collects what they answer. */
    <T> List<T> all(Consumer<ContenderProcess> order, Function<ContenderProcess, T> answer) {
        processes.forEach(order);
        return processes.stream().map(answer).toList();
    }

    @Override
    public void close() {
        processes.forEach(ContenderProcess::close);
    }
}
