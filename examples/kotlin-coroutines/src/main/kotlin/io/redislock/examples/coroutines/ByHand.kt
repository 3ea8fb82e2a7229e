package io.redislock.examples.coroutines

import io.redislock.LockOptions
import io.redislock.reactor.ReactiveRedisLocks
import io.redislock.reactor.acquireAndAwait
import io.redislock.reactor.extendAndAwait
import io.redislock.reactor.releaseAndAwait
import java.time.Duration

/** A handle of one's own, and more time. Nobody ends the work when such a lock is lost: it has to look. */
internal class ByHand(private val locks: ReactiveRedisLocks, private val story: Story) {

    suspend fun chapter() {
        story.title("By hand: a handle that is asked, extended and released")
        story.tell(longTask())
        story.tellHolder(locks, "long-task")
    }

    // snippet: kotlin-handle
    private val tenSeconds = LockOptions.defaults().expiry(Duration.ofSeconds(10))

    suspend fun longTask(): String {
        val lock = locks.acquireAndAwait("long-task", tenSeconds) ?: return "not started: somebody else is at it"
        try {
            firstHalf()
            return if (lock.extendAndAwait(Duration.ofSeconds(30))) secondHalf() else "stopped: the lock is lost"
        } finally {
            lock.releaseAndAwait() // sent and awaited also when this coroutine was cancelled
        }
    }
    // end

    private suspend fun firstHalf() = story.tellHolder(locks, "long-task")

    private fun secondHalf() = "finished"
}
