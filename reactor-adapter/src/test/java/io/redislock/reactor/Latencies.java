package io.redislock.reactor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** How long something took, many times over. The median says what is usual, whatever a busy machine does to a few. */
final class Latencies {

    private final List<Long> nanos = new ArrayList<>();

    /** Notes the time since then, by {@link System#nanoTime}. */
    void since(long startNanos) {
        nanos.add(System.nanoTime() - startNanos);
    }

    Duration median() {
        Collections.sort(nanos);
        return Duration.ofNanos(nanos.get(nanos.size() / 2));
    }

    Duration longest() {
        return Duration.ofNanos(Collections.max(nanos));
    }

    /** What a run of tests notes down. */
    void print(String what) {
        System.out.printf("%s: median %.2f ms, longest %.2f ms, %d times%n", what, median().toNanos() / 1e6,
                longest().toNanos() / 1e6, nanos.size());
    }
}
