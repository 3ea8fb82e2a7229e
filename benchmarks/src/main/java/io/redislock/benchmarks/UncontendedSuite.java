package io.redislock.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a lock costs that nobody else wants. */
final class UncontendedSuite implements Suite {

    private static final List<Integer> LEVELS = List.of(1, 16, 64, 512);
    private static final List<LockLibrary> LIBRARIES = List.of(LockLibrary.values());

    @Override
    public String name() {
        return "uncontended";
    }

    @Override
    public String description() {
        return "acquire and release a free key: cycles per second, and bytes allocated for each";
    }

    @Override
    public int usualSeconds() {
        return 90;
    }

    @Override
    public void run(Bench bench) {
        double turn = bench.turnSeconds(LEVELS.size() * LIBRARIES.size());
        try (OpenClients clients = bench.open(LIBRARIES)) {
            clients.warmUp(bench.seconds());
            for (int inFlight : LEVELS) {
                Map<LockLibrary, List<Double>> measured = Rounds.interleaved(takingPart(inFlight), Bench.ROUNDS,
                        library -> CycleLoad.perSecond(library, clients.of(library), inFlight, inFlight, turn));
                measured.forEach((library, rates) -> bench.results().add(Row.of(name(), "cycles", library,
                        Setting.inFlight(inFlight), Samples.median(rates), "cycles/s")));
            }
        }
        for (int inFlight : List.of(1, 64)) {
            for (LockLibrary library : List.of(LockLibrary.REACTIVE_REDIS_LOCK, LockLibrary.LETTUCE)) {
                bench.results().add(Row.of(name(), "allocated", library, Setting.inFlight(inFlight),
                        CycleAllocation.measure(bench, library, inFlight), "bytes/cycle"));
            }
        }
    }

    private static List<LockLibrary> takingPart(int inFlight) {
        List<LockLibrary> libraries = new ArrayList<>(LIBRARIES);
        if (inFlight > SpringIntegrationLockClient.MOST_AT_ONCE) {
            libraries.remove(LockLibrary.SPRING_INTEGRATION);
        }
        return libraries;
    }
}
