package io.redislock.reactor

import io.redislock.LockLoss
import java.time.Duration
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.withContext

/**
 * The variant of [RedisLock.extend] for coroutines: makes the lease last at least this long from now. `false` when the
 * lock is no longer ours. Cancelling only stops listening.
 *
 * @throws io.redislock.LockUnavailableException when Redis did not answer; the lease then lasts as long as before
 */
public suspend fun RedisLock.extendAndAwait(expiry: Duration): Boolean = extend(expiry).awaitValue() == true

/**
 * The variant of [RedisLock.release] for coroutines: whether this holder's key was deleted. Never fails, and releasing
 * again gives the first outcome. Sent and waited for also by a coroutine that is cancelled, so it fits `finally`; for
 * one command timeout at most.
 */
public suspend fun RedisLock.releaseAndAwait(): Boolean = withContext(NonCancellable) { release().awaitValue() } == true

/** Waits until the lock is lost, and returns why; `null` when it was released instead. See [RedisLock.lost]. */
public suspend fun RedisLock.awaitLost(): LockLoss? = lost().awaitValue()

/** [RedisLock.lost] as a flow: the reason when the lock is lost, and nothing when it is released instead. */
public fun RedisLock.lostAsFlow(): Flow<LockLoss> = flow { awaitLost()?.let { loss -> emit(loss) } }
