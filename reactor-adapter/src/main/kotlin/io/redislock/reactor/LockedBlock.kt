package io.redislock.reactor

import io.redislock.LockLoss
import io.redislock.LockLostException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.job
import kotlinx.coroutines.withContext
import reactor.core.Disposables
import reactor.core.publisher.Mono

/**
 * A block under a lock: what `withLock` is for a publisher, for a block that suspends. It is not `withLock` around
 * `mono { }`, because that would be no child of the caller, and a cancel would release while the block still cleans up.
 *
 * ```
 *   acquire ---- block and its children ------------ ended ---- release ---- result
 *   acquire ---- block -- lost: cancelled ---------- ended ---- release ---- LockLostException
 *   acquire ---- block -- the caller is cancelled -- ended ---- release ---- CancellationException
 * ```
 *
 * The release is sent once nothing of the block runs any more, and waited for, whatever has ended the block.
 */
@JvmSynthetic
internal suspend fun <T> Mono<RedisLock>.thenLocked(block: suspend CoroutineScope.(RedisLock) -> T): T {
    val lock = checkNotNull(awaitLock()) { "busy is an error here" }
    try {
        val result = whileHeld(lock, block)
        withContext(NonCancellable) { lock.endOfWork().awaitValue() }
        return result
    } catch (failure: Throwable) {
        try {
            withContext(NonCancellable) { lock.release().awaitValue() }
        } catch (other: Throwable) { // of a handle from elsewhere: ours does not fail
            failure.addSuppressed(other)
        }
        throw failure
    }
}

/** The lock, which is released when the coroutine was cancelled before it could have it; `null` when there is none. */
@JvmSynthetic
internal suspend fun Mono<RedisLock>.awaitLock(): RedisLock? =
    awaitOwned { lock, context -> lock.release().contextWrite(context).subscribe() }

/**
 * Two scopes. The inner one is the block's, with its children; the outer one also has the watch, a job that fails with
 * the loss and thereby cancels all. It does so on the thread that finds out, so that a block which computes on the
 * caller's only thread sees it too.
 */
private suspend fun <T> whileHeld(lock: RedisLock, block: suspend CoroutineScope.(RedisLock) -> T): T =
    coroutineScope {
        val watch = Job(coroutineContext.job)
        val watching = Disposables.swap()
        try {
            coroutineScope {
                val work = coroutineContext.job
                fun end(failure: Throwable) {
                    if (work.isActive) { // else it is ending already, and what has ended it comes out
                        watch.completeExceptionally(failure)
                    }
                }
                watching.update(lock.losses().subscribe({ end(LockLostException(lock.key(), it)) }, ::end))
                lock.requireHeld()
                block(lock)
            }
        } finally {
            watching.dispose()
            watch.complete()
        }
    }

/** The block is not called under a lease that is over: its turn on the dispatcher may have come late. */
private fun RedisLock.requireHeld() {
    if (!isAcquired) {
        throw LockLostException(key(), (this as? LeasedLock)?.held()?.loss()?.orElse(null) ?: LockLoss.EXPIRED)
    }
}

/** Not by way of a configured scheduler: that the block ends does not wait for it. */
private fun RedisLock.losses(): Mono<LockLoss> = if (this is LeasedLock) held().lost() else lost()

/** The release after a block that succeeded: an error when it finds that the lock was lost. */
private fun RedisLock.endOfWork(): Mono<*> =
    if (this is LeasedLock) {
        GuardedWork.end<Any>(this)
    } else {
        release().then(lost()).flatMap<Any> { loss -> Mono.error(LockLostException(key(), loss)) }
    }
