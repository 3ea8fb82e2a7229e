package io.redislock.benchmarks;

import java.time.Duration;
import java.util.List;

import reactor.core.publisher.Flux;

/** The heap that a held lock and a waiter take. */
final class MemorySuite implements Suite {

    private static final int MOST_LOCKS = 100_000;
    private static final int LOCKS_PER_SECOND = 1_000;
    private static final int WAITERS_PER_KEY = 100;
    private static final List<LockLibrary> HELD = List.of(LockLibrary.REACTIVE_REDIS_LOCK, LockLibrary.REDISSON);
    private static final List<LockLibrary> WAITING = List.of(
            LockLibrary.REACTIVE_REDIS_LOCK, LockLibrary.REDISSON, LockLibrary.POLLING);

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String description() {
        return "heap for each lock that is held, and for each waiter of a hundred per key";
    }

    @Override
    public int usualSeconds() {
        return 100;
    }

    @Override
    public void run(Bench bench) {
        int count = Math.min(MOST_LOCKS, bench.seconds() * LOCKS_PER_SECOND);
        for (LockLibrary library : HELD) {
            bench.results().add(Row.of(name(), "held", library, Setting.inFlight(count),
                    heap(bench, "hold " + library + " " + count), "bytes/lock"));
        }
        for (LockLibrary library : WAITING) {
            int keys = count / WAITERS_PER_KEY;
            try (LockClient holder = library.open(bench.redis())) {
                List<Grant> held = hold(holder, LockFootprint.keys(library, "queued:", keys));
                try {
                    bench.results().add(Row.of(name(), "waiting", library, Setting.waiters(count).keys(keys),
                            heap(bench, "queue " + library + " " + count + " " + keys), "bytes/waiter"));
                } finally {
                    Flux.fromIterable(held).flatMap(grant -> grant.release().then(), 64)
                            .blockLast(Duration.ofMinutes(1));
                }
            }
        }
    }

    private static List<Grant> hold(LockClient holder, String[] keys) {
        List<Grant> held = Flux.fromArray(keys).flatMap(holder::acquire, 64).collectList().block(Duration.ofMinutes(1));
        if (held == null || held.size() != keys.length) {
            throw new IllegalStateException("not all keys could be had");
        }
        return held;
    }

    // Each in a JVM of its own, which has nothing else in its heap and is killed with all that it holds.
    private static double heap(Bench bench, String order) {
        try (ContenderProcess process = ContenderProcess.start(bench.uri(), "2g")) {
            process.order(order);
            return Double.parseDouble(process.answer("bytes")[0]);
        }
    }
}
