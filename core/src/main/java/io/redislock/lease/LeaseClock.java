package io.redislock.lease;

/**
 * The two readings that a lease is measured by. Injected, so that tests can move time.
 */
public interface LeaseClock {

    /**
     * A monotonic reading in nanoseconds: only differences mean anything. It may stand still while the machine sleeps.
     */
    long nanoTime();

    /** The local wall clock in milliseconds: may step, but goes on while a virtual machine is suspended. */
    long wallMillis();

    /** The clocks of this machine. */
    static LeaseClock system() {
        return SystemClock.INSTANCE;
    }
}
