/**
 * Measures the locks of this library beside those of others: same server, same JVM, in turns.
 *
 * <p>{@link io.redislock.benchmarks.Benchmarks} is the program. A {@link io.redislock.benchmarks.Suite} measures one
 * thing, a {@link io.redislock.benchmarks.LockClient} is one library behind the few calls that all have in common, and
 * {@link io.redislock.benchmarks.Results} collects the rows. Nothing here is published, and nothing outside uses it.
 */
@NullMarked
package io.redislock.benchmarks;

import org.jspecify.annotations.NullMarked;
