package io.redislock.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How fast a key goes from one to the next in one process. */
final class HandoffSuite implements Suite {

    private static final List<Integer> LEVELS = List.of(2, 16, 64, 256);
    private static final List<LockLibrary> LIBRARIES = List.of(LockLibrary.values());

    @Override
    public String name() {
        return "handoff";
    }

    @Override
    public String description() {
        return "many in one process want one key: grants per second, and the worst wait";
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
            for (int waiters : LEVELS) {
                Map<LockLibrary, List<GrantLoad>> measured = Rounds.interleaved(takingPart(waiters), Bench.ROUNDS,
                        library -> GrantLoad.on(clients.of(library), library.key("hot"), waiters, turn));
                measured.forEach((library, loads) -> addRows(bench.results(), library, waiters, loads));
            }
        }
    }

    private void addRows(Results results, LockLibrary library, int waiters, List<GrantLoad> loads) {
        results.add(Row.of(name(), "grants", library, Setting.waiters(waiters),
                Samples.median(loads.stream().map(GrantLoad::perSecond).toList()), "grants/s"));
        results.add(Row.of(name(), "worst wait", library, Setting.waiters(waiters),
                loads.stream().mapToDouble(GrantLoad::worstWaitMillis).max().orElseThrow(), "ms"));
    }

    private static List<LockLibrary> takingPart(int waiters) {
        List<LockLibrary> libraries = new ArrayList<>(LIBRARIES);
        if (waiters > SpringIntegrationLockClient.MOST_AT_ONCE) {
            libraries.remove(LockLibrary.SPRING_INTEGRATION);
        }
        return libraries;
    }
}
