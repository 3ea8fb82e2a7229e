package io.redislock.reactor;

import java.util.concurrent.TimeUnit;

import io.redislock.lease.LeaseClock;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Both clocks move with virtual time. */
final class VirtualClock implements LeaseClock {

    @Override
    public long nanoTime() {
        return VirtualTimeScheduler.get().now(TimeUnit.NANOSECONDS);
    }

    @Override
    public long wallMillis() {
        return VirtualTimeScheduler.get().now(TimeUnit.MILLISECONDS);
    }
}
