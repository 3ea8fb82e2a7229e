/**
 * Pure arithmetic of a lease: how long it may be believed, and by which clock. No I/O, no threads, no timers.
 */
@NullMarked
package io.redislock.lease;

import org.jspecify.annotations.NullMarked;
