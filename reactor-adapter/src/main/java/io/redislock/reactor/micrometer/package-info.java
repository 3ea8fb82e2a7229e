/**
 * Metrics: {@link io.redislock.reactor.micrometer.MicrometerLockListener} turns what locks tell their listeners into
 * the meters of Micrometer.
 *
 * <p>Micrometer is an optional dependency, needed by those alone who name that class: nothing outside this package may
 * refer to it. Nothing is decided here, and nothing here knows Redis or Reactor.
 */
@NullMarked
package io.redislock.reactor.micrometer;

import org.jspecify.annotations.NullMarked;
