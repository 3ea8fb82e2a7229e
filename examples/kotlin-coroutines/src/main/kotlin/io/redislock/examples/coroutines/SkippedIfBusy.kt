package io.redislock.examples.coroutines

import io.redislock.LockNotAcquiredException
import io.redislock.LockOptions
import io.redislock.reactor.ReactiveRedisLocks
import io.redislock.reactor.withLockAndAwait
import java.time.Duration
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope

/** A job that every instance starts at the same hour, and one of them does. */
internal class SkippedIfBusy(private val locks: ReactiveRedisLocks, private val story: Story) {

    suspend fun chapter() = coroutineScope {
        story.title("Skipped if busy: two instances begin, one works")
        val working = CompletableDeferred<Unit>()
        val skipped = CompletableDeferred<Unit>()
        val first = async {
            nightlyReport {
                working.complete(Unit)
                skipped.await()
                "the report is written"
            }
        }
        working.await()
        story.tell("second instance: ${nightlyReport { "the report is written twice" }}")
        skipped.complete(Unit)
        story.tell("first instance: ${first.await()}")
    }

    // snippet: kotlin-skip
    private val once = LockOptions.defaults().waitAtMost(Duration.ZERO) // one attempt

    suspend fun nightlyReport(write: suspend () -> String): String =
        try {
            locks.withLockAndAwait("nightly-report", once) { write() }
        } catch (busy: LockNotAcquiredException) {
            "skipped, somebody else is at it"
        }
    // end
}
