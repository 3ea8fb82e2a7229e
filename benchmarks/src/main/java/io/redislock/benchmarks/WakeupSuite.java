package io.redislock.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** How soon a release in one process lets a waiter in another hold the lock. */
final class WakeupSuite implements Suite {

    private static final List<LockLibrary> LIBRARIES = List.of(
            LockLibrary.REACTIVE_REDIS_LOCK, LockLibrary.REDISSON, LockLibrary.SPRING_INTEGRATION,
            LockLibrary.POLLING);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    private final Random random = new Random(20);

    @Override
    public String name() {
        return "wakeup";
    }

    @Override
    public String description() {
        return "from the release in one process to the lock in another: half of the times, and 99 of 100";
    }

    @Override
    public int usualSeconds() {
        return 120;
    }

    @Override
    public void run(Bench bench) {
        double turn = bench.turnSeconds(LIBRARIES.size());
        try (OpenClients clients = bench.open(LIBRARIES);
                ContenderProcess other = ContenderProcess.start(bench.uri(), "128m")) {
            for (LockLibrary library : LIBRARIES) {
                other.order("open " + library);
                other.answer("opened");
            }
            Map<LockLibrary, List<List<Double>>> measured = Rounds.interleaved(LIBRARIES, Bench.ROUNDS,
                    library -> wakeups(library, clients.of(library), other, turn));
            measured.forEach((library, turns) -> {
                List<Double> millis = turns.stream().flatMap(List::stream).toList();
                bench.results().add(Row.of(name(), "p50", library, Setting.waiters(1),
                        Samples.percentile(millis, 50), "ms"));
                bench.results().add(Row.of(name(), "p99", library, Setting.waiters(1),
                        Samples.percentile(millis, 99), "ms"));
            });
        }
    }

    private List<Double> wakeups(LockLibrary library, LockClient client, ContenderProcess other, double seconds) {
        List<Double> millis = new ArrayList<>();
        long end = System.nanoTime() + (long) (seconds * 1e9);
        do {
            millis.add(wakeup(library, client, other));
        } while (System.nanoTime() < end);
        return millis;
    }

    private double wakeup(LockLibrary library, LockClient client, ContenderProcess other) {
        String key = library.key("wakeup");
        Grant grant = client.acquire(key).block(ANSWER_WITHIN);
        if (grant == null) {
            throw new IllegalStateException(library.label() + " did not get its lock");
        }
        other.order("wait " + library + " " + key);
        other.answer("waiting");
        // Long enough to be asleep, and not always at the same point of a backoff.
        Load.sleep(0.02 + random.nextDouble() * 0.02);
        long released = System.nanoTime();
        grant.release().then().block(ANSWER_WITHIN);
        long held = Long.parseLong(other.answer("held")[0]);
        other.answer("released");
        return (held - released) / 1e6;
    }
}
