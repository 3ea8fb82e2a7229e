package io.redislock.benchmarks;

import java.util.List;

import io.lettuce.core.RedisURI;

/**
 * What a suite runs on.
 *
 * @param uri the server that all share, as it was given
 * @param seconds about how long the suite may measure
 * @param results where its rows go
 */
record Bench(String uri, int seconds, Results results) {

    /** Each library in its turn, so many times, after one time that does not count. */
    static final int ROUNDS = 5;

    RedisURI redis() {
        return RedisURI.create(uri);
    }

    /** How long one turn of one library lasts, when all turns of that many kinds share the time. */
    double turnSeconds(int kinds) {
        return Math.max(0.05, (double) seconds / (kinds * (ROUNDS + 1)));
    }

    /** Opens the clients of some libraries, which are closed together. */
    OpenClients open(List<LockLibrary> libraries) {
        return OpenClients.open(redis(), libraries);
    }
}
