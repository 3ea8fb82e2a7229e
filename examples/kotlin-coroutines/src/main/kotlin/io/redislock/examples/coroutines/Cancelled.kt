package io.redislock.examples.coroutines

import io.redislock.reactor.ReactiveRedisLocks
import io.redislock.reactor.withLockAndAwait
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull

/** Cancelling a coroutine, or a timeout around it, ends the block, lets it clean up, and releases. In this order. */
internal class Cancelled(private val locks: ReactiveRedisLocks, private val story: Story) {

    suspend fun chapter() = coroutineScope {
        story.title("Cancelled: the block cleans up under the lock, then the key is gone")
        val paying = CompletableDeferred<Unit>()
        val request = launch {
            pay(8) {
                paying.complete(Unit)
                awaitCancellation()
            }
        }
        paying.await()
        story.tell("the client hangs up")
        request.cancelAndJoin()
        story.tellHolder(locks, "order:8")
        story.tell("with a timeout: ${inTime(9) { awaitCancellation() }}")
        story.tellHolder(locks, "order:9")
    }

    // snippet: kotlin-cancel
    suspend fun pay(order: Int, charge: suspend () -> String): String =
        locks.withLockAndAwait("order:$order") {
            try {
                charge()
            } finally {
                withContext(NonCancellable) { tidyUp(order) } // still under the lock
            }
        }

    suspend fun inTime(order: Int, charge: suspend () -> String): String =
        withTimeoutOrNull(300.milliseconds) { pay(order, charge) } ?: "too late, and the lock is released"
    // end

    private suspend fun tidyUp(order: Int) {
        story.tell("tidying up")
        story.tellHolder(locks, "order:$order")
    }
}
