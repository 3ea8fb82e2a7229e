package io.redislock.benchmarks;

/** Measures one thing of several libraries. */
interface Suite {

    /** As it is called on the command line and in the results. */
    String name();

    /** What it measures, in a line. */
    String description();

    /** How long it measures, in seconds, unless the caller says otherwise. */
    int usualSeconds();

    void run(Bench bench);
}
