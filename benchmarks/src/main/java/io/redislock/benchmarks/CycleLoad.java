package io.redislock.benchmarks;

/** Locks that nobody else wants, acquired and released at once. */
final class CycleLoad {

    private CycleLoad() {}

    /**
     * Cycles per second.
     *
     * @param inFlight how many at the same time
     * @param keys over how many keys they go, at least as many: each worker has its own, one after the other
     */
    static double perSecond(LockLibrary library, LockClient client, int inFlight, int keys, double seconds) {
        String prefix = library.key("cycle:");
        int ownKeys = keys / inFlight;
        return Load.perSecond(inFlight, seconds, worker -> {
            int[] next = {0};
            return () -> {
                int key = worker + inFlight * next[0];
                next[0] = (next[0] + 1) % ownKeys;
                return client.cycle(prefix + key);
            };
        });
    }
}
