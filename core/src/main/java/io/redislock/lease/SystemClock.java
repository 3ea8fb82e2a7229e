package io.redislock.lease;

/** The clocks of the JVM. */
enum SystemClock implements LeaseClock {

    INSTANCE;

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    /** Only ever ends a lease early, see {@link Validity}: no lease is measured by it. */
    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }
}
