/**
 * The API, {@link io.redislock.reactor.ReactiveRedisLocks} and {@link io.redislock.reactor.RedisLock}, and its
 * package-private parts.
 *
 * <p>The way of an acquisition: {@code StoreRedisLocks} builds an {@code Acquisition}, the loop of attempts, and puts
 * it into a {@code Handover}, which runs it apart from the subscriber and decides who gets the result. While the lock
 * is busy, {@code WaitQueue} says whose turn it is, and {@code WaitSchedule} for how long. A {@code LeasedLock} is what
 * comes out, and {@code Releases} brings back what nobody wants any more. Everything here runs on any {@link
 * io.redislock.reactor.store.LockStore}; nothing here knows Lettuce but the builder.
 *
 * <p>The extensions for Kotlin coroutines are in this package too, in files of their own, which no Java refers to.
 */
@NullMarked
package io.redislock.reactor;

import org.jspecify.annotations.NullMarked;
