package io.redislock.benchmarks;

import java.util.List;
import java.util.Map;

/** How the cost grows with the number of keys, and with that of waiters. */
final class ScaleSuite implements Suite {

    private static final List<Setting> KEYS = List.of(
            Setting.inFlight(1).keys(1), Setting.inFlight(1).keys(100), Setting.inFlight(1).keys(10_000),
            Setting.inFlight(1).keys(1_000_000),
            Setting.inFlight(64).keys(100), Setting.inFlight(64).keys(10_000), Setting.inFlight(64).keys(1_000_000));
    private static final List<Integer> WAITERS = List.of(16, 64, 256, 1_024, 4_096);
    private static final List<LockLibrary> LIBRARIES = List.of(
            LockLibrary.REACTIVE_REDIS_LOCK, LockLibrary.LETTUCE, LockLibrary.REDISSON);

    @Override
    public String name() {
        return "scale";
    }

    @Override
    public String description() {
        return "the same over more and more keys, and for more and more waiters";
    }

    @Override
    public int usualSeconds() {
        return 120;
    }

    @Override
    public void run(Bench bench) {
        double turn = bench.turnSeconds((KEYS.size() + WAITERS.size()) * LIBRARIES.size());
        try (OpenClients clients = bench.open(LIBRARIES)) {
            clients.warmUp(bench.seconds());
            for (Setting setting : KEYS) {
                Map<LockLibrary, List<Double>> measured = Rounds.interleaved(LIBRARIES, Bench.ROUNDS,
                        library -> CycleLoad.perSecond(library, clients.of(library), setting.inFlight(),
                                setting.keys(), turn));
                measured.forEach((library, rates) -> bench.results().add(
                        Row.of(name(), "cycles", library, setting, Samples.median(rates), "cycles/s")));
            }
            for (int waiters : WAITERS) {
                Map<LockLibrary, List<Double>> measured = Rounds.interleaved(LIBRARIES, Bench.ROUNDS,
                        library -> GrantLoad.on(clients.of(library), library.key("hot"), waiters, turn).perSecond());
                measured.forEach((library, rates) -> bench.results().add(Row.of(name(), "grants", library,
                        Setting.waiters(waiters), Samples.median(rates), "grants/s")));
            }
        }
    }
}
