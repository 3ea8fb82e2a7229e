package io.redislock.benchmarks;

import org.jspecify.annotations.Nullable;

/**
 * Under which conditions a value was measured. Values of two libraries are compared when all of it is equal.
 *
 * @param inFlight how many locks were acquired and released, or held, at the same time
 * @param waiters how many callers wanted the same key, in each process
 * @param keys over how many keys it went
 * @param process of which process this is the share
 */
record Setting(
        @Nullable Integer inFlight, @Nullable Integer waiters, @Nullable Integer keys, @Nullable Integer process) {

    static Setting inFlight(int inFlight) {
        return new Setting(inFlight, null, null, null);
    }

    static Setting waiters(int waiters) {
        return new Setting(null, waiters, null, null);
    }

    Setting keys(int distinct) {
        return new Setting(inFlight, waiters, distinct, process);
    }

    Setting process(int number) {
        return new Setting(inFlight, waiters, keys, number);
    }

    /** For people: {@code 64 in flight, 100 keys}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        append(text, inFlight, " in flight");
        append(text, waiters, waiters != null && waiters == 1 ? " waiter" : " waiters");
        append(text, keys, keys != null && keys == 1 ? " key" : " keys");
        if (process != null) {
            text.append(", process ").append(process);
        }
        return text.toString();
    }

    private static void append(StringBuilder text, @Nullable Integer count, String what) {
        if (count != null) {
            text.append(text.isEmpty() ? "" : ", ").append(Numbers.grouped(count)).append(what);
        }
    }
}
