package io.redislock.lease;

import java.time.Duration;

/** A clock moved by hand: both readings together, or the wall clock alone. */
final class ManualClock implements LeaseClock {

    private long nanos;
    private Duration wall;

    ManualClock(long nanos, Duration wall) {
        this.nanos = nanos;
        this.wall = wall;
    }

    /** In the middle of everything: no overflow near. */
    static ManualClock anywhere() {
        return new ManualClock(1_000_000_007, Duration.ofMillis(1_700_000_000_123L));
    }

    void pass(Duration time) {
        passNanos(time.toNanos());
    }

    void passNanos(long time) {
        nanos += time;
        wall = wall.plusNanos(time);
    }

    /** A step by hand or by NTP, or a machine that was suspended and continued: the monotonic clock does not notice. */
    void moveWall(Duration step) {
        wall = wall.plus(step);
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long wallMillis() {
        return wall.toMillis();
    }
}
