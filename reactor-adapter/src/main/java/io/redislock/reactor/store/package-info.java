/**
 * The port {@link io.redislock.reactor.store.LockStore} and its implementation on Lettuce: one command out, one reply
 * in, and what is known when there is none.
 *
 * <p>Retrying, waiting, holding and releasing are decided above this package, once for every store. The types are
 * public for that package only; they are no API.
 */
@NullMarked
package io.redislock.reactor.store;

import org.jspecify.annotations.NullMarked;
