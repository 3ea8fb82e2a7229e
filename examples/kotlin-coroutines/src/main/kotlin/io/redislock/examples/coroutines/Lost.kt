package io.redislock.examples.coroutines

import io.redislock.LockLostException
import io.redislock.LockOptions
import io.redislock.reactor.ReactiveRedisLocks
import io.redislock.reactor.RedisLock
import io.redislock.reactor.releaseAndAwait
import io.redislock.reactor.withLockAndAwait
import java.time.Duration
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf

/** A long import whose lease is renewed, and lost all the same: it is cancelled, and the caller learns why. */
internal class Lost(private val locks: ReactiveRedisLocks, private val story: Story) {

    suspend fun chapter() {
        story.title("Lost: somebody deletes the key, and the block is cancelled")
        story.tell(importAll(flowOf("first row", "second row", "third row")))
        story.tellHolder(locks, "import")
    }

    // snippet: kotlin-lost
    private val renewed = LockOptions.defaults()
        .expiry(Duration.ofSeconds(30)) // how long it outlives a process that died
        .autoRenew(Duration.ofMinutes(10)) // renewed every 10 s, for 10 minutes at most

    suspend fun importAll(rows: Flow<String>): String =
        try {
            locks.withLockAndAwait("import", renewed) { lock ->
                rows.collect { row -> store(row, lock) }
                "imported"
            }
        } catch (lost: LockLostException) {
            "not to be relied on: ${lost.reason()}"
        }
    // end

    private suspend fun store(row: String, lock: RedisLock) {
        if (row.startsWith("first")) {
            story.tell("$row: stored")
            return
        }
        try {
            // Here with its value, but a DEL of any client does the same.
            locks.releaseAndAwait(lock.key(), lock.value())
            awaitCancellation()
        } catch (cancelled: CancellationException) {
            story.tell("$row: cancelled, the lock is ${lock.state()}")
            throw cancelled
        }
    }
}
