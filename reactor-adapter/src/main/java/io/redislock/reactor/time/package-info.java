/**
 * Timers for very many things of which few come to happen: timeouts of commands, deadlines of leases.
 */
@NullMarked
package io.redislock.reactor.time;

import org.jspecify.annotations.NullMarked;
