/**
 * The wire: keys, owner values, the Lua scripts with their SHA-1, and the typed replies with their parsing.
 *
 * <p>A lock is a plain string key whose value is the owner value, so a service on StackExchange.Redis
 * ({@code LockTake}, {@code LockRelease}, {@code LockExtend}, {@code LockQuery}) and this library exclude each other on
 * the same key. Nothing here sends anything.
 */
@NullMarked
package io.redislock.protocol;

import org.jspecify.annotations.NullMarked;
