package io.redislock.benchmarks;

import java.util.concurrent.atomic.LongAccumulator;

import reactor.core.publisher.Mono;

/**
 * Many who want one key, hold it for no time, and want it again.
 *
 * @param perSecond grants per second
 * @param worstWaitMillis the longest time from asking to holding
 */
record GrantLoad(double perSecond, double worstWaitMillis) {

    static GrantLoad on(LockClient client, String key, int waiters, double seconds) {
        LongAccumulator worst = new LongAccumulator(Math::max, 0);
        double perSecond = Load.perSecond(waiters, seconds, worker -> () -> {
            long asked = System.nanoTime();
            return client.acquire(key).flatMap(grant -> {
                worst.accumulate(System.nanoTime() - asked);
                return grant.release().then(Mono.just(true));
            });
        });
        return new GrantLoad(perSecond, worst.get() / 1e6);
    }
}
