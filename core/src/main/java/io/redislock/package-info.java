/**
 * What a user of the library names: the options of an acquisition, the states and losses of a lease, the listener, and
 * the exceptions.
 *
 * <p>Nothing here performs I/O or knows Reactor or Lettuce. The wire lives in {@link io.redislock.protocol}, the
 * arithmetic of a lease in {@link io.redislock.lease}.
 */
@NullMarked
package io.redislock;

import org.jspecify.annotations.NullMarked;
