package io.redislock.reactor

import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.locks.LockSupport
import java.util.function.BooleanSupplier
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.withTimeout

/**
 * Runs a test as a coroutine on the thread of the test, with a bound.
 *
 * These tests are compiled against the newest kotlinx-coroutines and also run on the oldest, which knows neither what
 * the compiler makes of `runBlocking` nor of `job.cancel()` without an argument.
 */
@OptIn(ExperimentalCoroutinesApi::class)
internal fun coroutineTest(test: suspend CoroutineScope.() -> Unit) {
    val thread = HoldingDispatcher()
    val outcome = CoroutineScope(thread).async { withTimeout(Await.PATIENCE.toMillis()) { test() } }
    thread.runUntilEnded(outcome)
    outcome.getCompletionExceptionOrNull()?.let { throw it }
}

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

    /** Not one that blocks: event loops dispatch here, where BlockHound would break its lock. */
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
    fun runUntilEnded(job: Job) {
        val bound = System.nanoTime() + 2 * Await.PATIENCE.toNanos()
        while (!job.isCompleted) {
            tasks.poll()?.run() ?: LockSupport.parkNanos(100_000)
            check(System.nanoTime() - bound < 0) { "the coroutine has not ended" }
        }
    }
}
