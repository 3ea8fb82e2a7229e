package io.redislock.reactor

import io.redislock.LockNotAcquiredException
import io.redislock.LockOptions
import java.time.Duration
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.withContext

/**
 * Runs [block] while holding the lock, with the default options of these locks. See the other [withLockAndAwait].
 */
public suspend fun <T> ReactiveRedisLocks.withLockAndAwait(
    key: String,
    block: suspend CoroutineScope.(RedisLock) -> T,
): T = acquireOrFail(key).thenLocked(block)

/**
 * Runs [block] while holding the lock, and returns what it returns, after the release was answered or given up waiting
 * for (see [RedisLock.release]). The variant of [ReactiveRedisLocks.withLock] for coroutines.
 *
 * The block runs in a scope of its own, a child of the caller's, in the caller's context: its dispatcher, its elements,
 * its Reactor context. What it launches there belongs to it: the block ends when its children have ended, and the
 * release is sent after that, never while something of the block still runs, be it its clean-up. Only closing the locks
 * releases at once. A caller that is cancelled while the release is under way gets the result all the same. Under
 * `Dispatchers.Unconfined`, as in suspending handlers of Spring WebFlux, the block begins on the thread of the signal,
 * mostly Lettuce's event loop, where it must not block.
 *
 * An exception of the block comes out as it is, whatever the release does, and one of a child cancels the others.
 * Cancelling the caller, or a `withTimeout` around this, ends the wait for the lock, or cancels the block and then
 * releases; so it leaves no lock behind.
 *
 * When the lease is lost, by its deadline or otherwise, the block is cancelled, and once it has ended
 * `LockLostException` is thrown; also when the block succeeded and the release then finds that the key was gone or
 * another's before its time. A block that does not listen to its cancellation runs on: look at [RedisLock.isAcquired]
 * before a step that matters.
 *
 * @throws LockNotAcquiredException when the lock was busy to the end
 * @throws io.redislock.LockUnavailableException when Redis did not answer. In both cases the block was not called
 * @throws io.redislock.LockLostException when the lock was lost
 */
public suspend fun <T> ReactiveRedisLocks.withLockAndAwait(
    key: String,
    options: LockOptions,
    block: suspend CoroutineScope.(RedisLock) -> T,
): T = acquireOrFail(key, options).thenLocked(block)

/** As the other [acquireAndAwait] with the default options of these locks. */
public suspend fun ReactiveRedisLocks.acquireAndAwait(key: String): RedisLock? = acquire(key).awaitLock()

/**
 * Acquires a lock and returns its handle, or `null` when it was busy to the end. The variant of
 * [ReactiveRedisLocks.acquire] for coroutines.
 *
 * Cancelling ends the wait, and what was taken is released, also when it was on its way to the caller. Once returned it
 * is the caller's, so nothing may come between: a `withTimeout` or a `withContext` around this call alone can drop the
 * result when it is cancelled at that moment. Bound the wait by [LockOptions.waitAtMost], and prefer
 * [withLockAndAwait], which also ends the block when the lease is lost.
 *
 * @throws io.redislock.LockUnavailableException when Redis did not answer
 */
public suspend fun ReactiveRedisLocks.acquireAndAwait(key: String, options: LockOptions): RedisLock? =
    acquire(key, options).awaitLock()

/** As the other [acquireAndAwait] with these three in place of the defaults of these locks. */
public suspend fun ReactiveRedisLocks.acquireAndAwait(
    key: String,
    expiry: Duration,
    maxRetries: Long,
    retryDelay: Duration,
): RedisLock? = acquire(key, expiry, maxRetries, retryDelay).awaitLock()

/**
 * The variant of [ReactiveRedisLocks.take] for coroutines: whether the key was absent and was taken. Cancelled, it
 * releases again what it took, also when the answer was on its way to the caller; where these locks are a wrapper of
 * others, by one try.
 *
 * @throws io.redislock.LockUnavailableException when Redis did not answer
 */
public suspend fun ReactiveRedisLocks.takeAndAwait(key: String, value: String, expiry: Duration): Boolean =
    take(key, value, expiry).awaitOwned { taken, context ->
        if (taken) {
            if (this is StoreRedisLocks) {
                giveBack(key, value, expiry, context)
            } else {
                release(key, value).contextWrite(context).onErrorComplete().subscribe()
            }
        }
    } == true

/**
 * The variant of [ReactiveRedisLocks.release] for coroutines: whether the key held the value and was deleted. Sent and
 * waited for also by a coroutine that is cancelled, so it fits `finally`; for one command timeout at most.
 *
 * @throws io.redislock.LockUnavailableException when Redis did not answer; in a `finally` it replaces what was thrown
 */
public suspend fun ReactiveRedisLocks.releaseAndAwait(key: String, value: String): Boolean =
    withContext(NonCancellable) { release(key, value).awaitValue() } == true

/**
 * The variant of [ReactiveRedisLocks.extend] for coroutines: whether the key held the value and its expiry was set.
 *
 * @throws io.redislock.LockUnavailableException when Redis did not answer
 */
public suspend fun ReactiveRedisLocks.extendAndAwait(key: String, value: String, expiry: Duration): Boolean =
    extend(key, value, expiry).awaitValue() == true

/**
 * The variant of [ReactiveRedisLocks.query] for coroutines: the value that the key holds, `null` when not locked.
 *
 * @throws io.redislock.LockUnavailableException when Redis did not answer
 */
public suspend fun ReactiveRedisLocks.queryAndAwait(key: String): String? = query(key).awaitValue()

/**
 * The variant of [ReactiveRedisLocks.close] for coroutines. Done and waited for also by a coroutine that is cancelled,
 * for the close timeout at most.
 */
public suspend fun ReactiveRedisLocks.closeAndAwait() {
    withContext(NonCancellable) { close().awaitValue() }
}

/**
 * The variant of [ReactiveRedisLocks.Builder.connect] for coroutines. Cancelled, it closes a connection that was under
 * way, also when it was on its way to the caller.
 */
public suspend fun ReactiveRedisLocks.Builder.connectAndAwait(): ReactiveRedisLocks =
    checkNotNull(connect().awaitOwned { locks, _ -> locks.close().subscribe() }) { "connected or failed" }
