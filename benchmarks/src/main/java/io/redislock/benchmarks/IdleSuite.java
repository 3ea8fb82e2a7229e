package io.redislock.benchmarks;

import java.time.Duration;
import java.util.List;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What waiting costs the server while nothing happens. */
final class IdleSuite implements Suite {

    private static final int WAITERS = 1_000;
    private static final double SETTLE_SECONDS = 2;
    private static final Duration ALL_SERVED_WITHIN = Duration.ofSeconds(60);
    private static final List<LockLibrary> LIBRARIES = List.of(
            LockLibrary.REACTIVE_REDIS_LOCK, LockLibrary.REDISSON, LockLibrary.POLLING);

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public String description() {
        return Numbers.grouped(WAITERS) + " waiters in one process, and nobody releases: commands per second";
    }

    @Override
    public int usualSeconds() {
        return 90;
    }

    @Override
    public void run(Bench bench) {
        double seconds = (double) bench.seconds() / LIBRARIES.size();
        for (LockLibrary library : LIBRARIES) {
            bench.results().add(Row.of(name(), "commands", library, Setting.waiters(WAITERS),
                    commandsPerSecond(bench, library, seconds), "commands/s"));
        }
    }

    private static double commandsPerSecond(Bench bench, LockLibrary library, double seconds) {
        String key = library.key("idle");
        // Scripts alone, as their own calls count too; but polling has no script to acquire by.
        List<String> counted = library == LockLibrary.POLLING
                ? List.of("eval", "evalsha", "set")
                : List.of("eval", "evalsha");
        try (ServerCounters server = new ServerCounters(bench.redis());
                LockClient holder = library.open(bench.redis());
                LockClient client = library.open(bench.redis())) {
            Grant held = holder.acquire(key).block(ALL_SERVED_WITHIN);
            if (held == null) {
                throw new IllegalStateException(library.label() + " did not get its lock");
            }
            var served = Flux.range(0, WAITERS)
                    .flatMap(waiter -> client.acquire(key).flatMap(grant -> grant.release().then()), WAITERS)
                    .then()
                    .toFuture();
            Load.sleep(SETTLE_SECONDS);
            long before = server.calls(counted);
            long start = System.nanoTime();
            Load.sleep(seconds);
            double perSecond = (server.calls(counted) - before) / ((System.nanoTime() - start) / 1e9);
            if (served.isDone()) {
                throw new IllegalStateException("nobody waited for " + key);
            }
            // They did wait, and not for something else.
            held.release().then().block(ALL_SERVED_WITHIN);
            Mono.fromFuture(served).block(ALL_SERVED_WITHIN);
            return perSecond;
        }
    }
}
