package io.redislock.reactor

import java.util.concurrent.ConcurrentLinkedQueue
import java.util.function.BooleanSupplier
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout

/** Runs a test as a coroutine on the thread of the test, with a bound. */
internal fun coroutineTest(test: suspend CoroutineScope.() -> Unit) =
    runBlocking { withTimeout(Await.PATIENCE.toMillis()) { test() } }

/** Waits for a condition, with a bound. Blocks, so nothing that it waits for may have to run on this thread. */
internal fun awaitUntil(what: String, condition: () -> Boolean) = Await.until(what, BooleanSupplier(condition))

/** The failure of a call, which must be one of this type. */
internal inline fun <reified T : Throwable> failureOf(call: () -> Any?): T {
    val result = try {
        call()
    } catch (failure: Throwable) {
        return failure as? T ?: throw AssertionError("failed in another way", failure)
    }
    throw AssertionError("did not fail, but returned $result")
}

/** A failure that cannot be copied, so coroutines hand on this very object. */
internal class OwnFailure(val detail: Int) : RuntimeException("own $detail")

/**
 * Holds what is dispatched until it is told to run: so a test decides what happens before a coroutine's next turn. What
 * comes so fast that the coroutine has not suspended yet is not dispatched at all; a paused server makes sure of that.
 */
internal class HoldingDispatcher : CoroutineDispatcher() {

    private val tasks = ConcurrentLinkedQueue<Runnable>()

    override fun dispatch(context: CoroutineContext, block: Runnable) {
        tasks.add(block)
    }

    /** Runs the first turn that is held, or will be in a moment. */
    fun runOne() {
        awaitOneHeld()
        tasks.remove().run()
    }

    fun awaitOneHeld() = awaitUntil("a coroutine is to be continued") { tasks.isNotEmpty() }

    /** Runs one turn after the other until the coroutine has ended. */
    fun runUntilEnded(job: Job) = awaitUntil("the coroutine has ended") {
        tasks.poll()?.run()
        job.isCompleted
    }
}
