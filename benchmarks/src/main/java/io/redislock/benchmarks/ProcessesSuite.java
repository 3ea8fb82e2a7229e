package io.redislock.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How fast and how fairly a key goes around among several processes. */
final class ProcessesSuite implements Suite {

    private static final int PROCESSES = 4;
    private static final int WAITERS = 16;
    private static final List<LockLibrary> LIBRARIES = List.of(
            LockLibrary.REACTIVE_REDIS_LOCK, LockLibrary.REDISSON, LockLibrary.SPRING_INTEGRATION,
            LockLibrary.POLLING);

    /** What each process got in one turn. */
    private record Turn(List<GrantLoad> loads) {

        double perSecond() {
            return loads.stream().mapToDouble(GrantLoad::perSecond).sum();
        }

        double share(int process) {
            return perSecond() == 0 ? 0 : 100 * loads.get(process).perSecond() / perSecond();
        }
    }

    @Override
    public String name() {
        return "processes";
    }

    @Override
    public String description() {
        return PROCESSES + " processes of " + WAITERS + " waiters want one key: grants per second, shares, worst wait";
    }

    @Override
    public int usualSeconds() {
        return 90;
    }

    @Override
    public void run(Bench bench) {
        double turn = bench.turnSeconds(LIBRARIES.size());
        try (Contenders contenders = Contenders.start(PROCESSES, bench.uri(), "128m")) {
            for (LockLibrary library : LIBRARIES) {
                contenders.all(each -> each.order("open " + library), each -> each.answer("opened"));
            }
            Map<LockLibrary, List<Turn>> measured = Rounds.interleaved(LIBRARIES, Bench.ROUNDS, library -> {
                long start = System.nanoTime() + 100_000_000;
                String order = "contend " + library + " " + library.key("hot") + " " + WAITERS + " " + turn + " "
                        + start;
                return new Turn(contenders.all(each -> each.order(order), each -> {
                    String[] said = each.answer("granted");
                    return new GrantLoad(Double.parseDouble(said[0]), Double.parseDouble(said[1]));
                }));
            });
            measured.forEach((library, turns) -> addRows(bench.results(), library, turns));
        }
    }

    private void addRows(Results results, LockLibrary library, List<Turn> turns) {
        Setting setting = Setting.waiters(WAITERS);
        results.add(Row.of(name(), "grants", library, setting,
                Samples.median(turns.stream().map(Turn::perSecond).toList()), "grants/s"));
        List<Double> shares = new ArrayList<>();
        for (int process = 0; process < PROCESSES; process++) {
            int number = process;
            double share = turns.stream().mapToDouble(turn -> turn.share(number)).average().orElseThrow();
            shares.add(share);
            double worst = turns.stream()
                    .mapToDouble(turn -> turn.loads().get(number).worstWaitMillis()).max().orElseThrow();
            results.add(Row.of(name(), "share", library, setting.process(process + 1), share, "%"));
            results.add(Row.of(name(), "worst wait", library, setting.process(process + 1), worst, "ms"));
        }
        results.add(Row.of(name(), "smallest share", library, setting,
                shares.stream().mapToDouble(Double::doubleValue).min().orElseThrow(), "%"));
        results.add(Row.of(name(), "worst wait", library, setting,
                turns.stream().flatMap(turn -> turn.loads().stream())
                        .mapToDouble(GrantLoad::worstWaitMillis).max().orElseThrow(), "ms"));
    }
}
