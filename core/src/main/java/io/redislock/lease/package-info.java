/**
 * A lease without its execution: the state machine ({@link io.redislock.lease.Lease}), how long it may be believed and
 * by which clock ({@link io.redislock.lease.Validity}), and when it is renewed. No I/O, no threads, no timers.
 */
@NullMarked
package io.redislock.lease;

import org.jspecify.annotations.NullMarked;
