package io.redislock.examples.coroutines

import io.redislock.LockOptions
import io.redislock.reactor.ReactiveRedisLocks
import io.redislock.reactor.withLockAndAwait
import java.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.async
import kotlinx.coroutines.delay

/** The everyday form: held while the block and all that it launches runs, released when that has ended. */
internal class Scoped(private val locks: ReactiveRedisLocks, private val story: Story) {

    suspend fun chapter() {
        story.title("Scoped: held while the block and its children run, released after them")
        story.tell(process(123))
        story.tellHolder(locks, "order:123")
    }

    // snippet: kotlin-scoped
    private val options = LockOptions.defaults()
        .expiry(Duration.ofSeconds(30))
        .waitAtMost(Duration.ofSeconds(2))

    suspend fun process(order: Int): String =
        locks.withLockAndAwait("order:$order", options) { lock ->
            val payment = async { charge(order) }
            val parcel = async { pack(order) }
            "order $order: ${payment.await()}, ${parcel.await()}, held ${lock.isAcquired}"
        }
    // end

    private suspend fun charge(order: Int): String {
        story.tellHolder(locks, "order:$order")
        return "charged"
    }

    private suspend fun pack(order: Int): String {
        delay(20.milliseconds)
        return "parcel $order packed"
    }
}
