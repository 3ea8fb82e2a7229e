package io.redislock.reactor

import io.micrometer.context.ContextRegistry
import io.redislock.LockLostException
import io.redislock.reactor.TracedLocks.TRACE
import java.time.Duration
import java.util.concurrent.CopyOnWriteArrayList
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.asContextElement
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.reactor.ReactorContext
import kotlinx.coroutines.reactor.awaitSingleOrNull
import kotlinx.coroutines.reactor.mono
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension
import reactor.core.publisher.Hooks
import reactor.util.context.Context

/** The caller's coroutine context is there in the block, and its Reactor context reaches whatever is done for it. */
internal class CoroutineContextTest {

    private val key = FIXTURE.freshKey()
    private val traced = TracedLocks()
    private val seen = traced.seen

    @Test
    fun blockRunsOnTheCallersDispatcherAndWithItsElements() = coroutineTest {
        val test = Thread.currentThread() // on which this test's coroutines are dispatched
        val local = ThreadLocal<String>()
        val places = CopyOnWriteArrayList<String>()
        suspend fun note() {
            val thread = if (Thread.currentThread() == test) "callers-thread" else Thread.currentThread().name
            places.add("$thread ${currentCoroutineContext()[CoroutineName]?.name} ${local.get()}")
        }

        withContext(CoroutineName("callers-name") + local.asContextElement("callers-value")) {
            FIXTURE.locks().withLockAndAwait(key) {
                note()
                delay(1)
                note()
                launch { note() }
            }
            note()
        }

        assertThat(places).hasSize(4).containsOnly("callers-thread callers-name callers-value")
    }

    /** As handlers of WebFlux are run. */
    @Test
    fun blockOfAnUnconfinedCallerBeginsWhereTheSignalComes() = coroutineTest {
        traced.store.latency(Duration.ofMillis(200)) // so the coroutine has suspended before
        val thread = withContext(Dispatchers.Unconfined) {
            traced.locks.withLockAndAwait("key") { Thread.currentThread().name }
        }

        assertThat(thread).startsWith("parallel-")
    }

    @Test
    fun reactorContextOfTheCallerReachesTheCommandsAndTheBlock() = coroutineTest {
        withContext(ReactorContext(Context.of(SeenTrace.KEY, TRACE))) {
            traced.locks.withLockAndAwait("key") { lock ->
                noteInBlock()
                lock.extendAndAwait(TracedLocks.MINUTE)
            }
            traced.locks.takeAndAwait("other", "ours", TracedLocks.MINUTE)
            traced.locks.extendAndAwait("other", "ours", TracedLocks.MINUTE)
            traced.locks.queryAndAwait("other")
            traced.locks.releaseAndAwait("other", "ours")
        }

        for (place in listOf("acquire", "block", "prolong", "take", "extend", "query")) {
            assertThat(seen.of(place)).`as`(place).containsExactly(TRACE)
        }
        assertThat(seen.of("release")).containsExactly(TRACE, TRACE)
    }

    @Test
    fun contextOfTheSubscriberReachesTheBlockAndTheCommandsInAMono() {
        val call = mono { traced.locks.withLockAndAwait("key") { noteInBlock() } }

        call.contextWrite { it.put(SeenTrace.KEY, TRACE) }.block(Await.PATIENCE)

        assertThat(seen.of("acquire")).containsExactly(TRACE)
        assertThat(seen.of("block")).containsExactly(TRACE)
        assertThat(seen.of("release")).containsExactly(TRACE)
    }

    @Test
    fun reactorContextReachesTheReleaseWhateverEndsTheBlock() = coroutineTest {
        withContext(ReactorContext(Context.of(SeenTrace.KEY, TRACE))) {
            failureOf<OwnFailure> { traced.locks.withLockAndAwait("key") { throw OwnFailure(1) } }
            failureOf<LockLostException> {
                traced.locks.withLockAndAwait("key", TracedLocks.OPTIONS.expiry(Duration.ofMillis(500))) {
                    awaitCancellation()
                }
            }
            val job = launch {
                traced.locks.withLockAndAwait("key") {
                    noteInBlock()
                    awaitCancellation()
                }
            }
            while (seen.of("block").isEmpty()) {
                delay(1)
            }
            job.cancelAndJoin()
        }

        assertThat(seen.of("release")).containsExactly(TRACE, TRACE, TRACE)
    }

    @Test
    fun reactorContextReachesTheReleaseOfALockThatNobodyTakes() {
        val dispatcher = HoldingDispatcher()
        val context = dispatcher + ReactorContext(Context.of(SeenTrace.KEY, TRACE))
        traced.store.latency(Duration.ofMillis(200)) // so the coroutine has suspended before
        for (call in listOf<suspend () -> Any?>(
            { traced.locks.acquireAndAwait("key") },
            { traced.locks.takeAndAwait("key", "ours", TracedLocks.MINUTE) },
        )) {
            seen.clear()
            val job = CoroutineScope(context).launch { call() }
            dispatcher.runOne()
            dispatcher.awaitOneHeld()

            job.cancel(null)
            dispatcher.runUntilEnded(job)

            traced.awaitReleased()
            assertThat(seen.of("release")).containsExactly(TRACE)
        }
    }

    /** Threads have it where Reactor's automatic propagation is on, as tracing switches it on. */
    @Test
    fun traceIsInTheThreadOfTheCommandsWithAutomaticPropagation() = coroutineTest {
        ContextRegistry.getInstance().registerThreadLocalAccessor(SeenTrace.KEY, SeenTrace.IN_THREAD)
        Hooks.enableAutomaticContextPropagation()
        try {
            traced.store.latency(Duration.ofMillis(20))

            withContext(ReactorContext(Context.of(SeenTrace.KEY, TRACE))) {
                traced.locks.withLockAndAwait("key") { lock -> lock.extendAndAwait(TracedLocks.MINUTE) }
            }

            assertThat(seen.of("acquire in thread")).containsExactly(TRACE)
            assertThat(seen.of("prolong in thread")).containsExactly(TRACE)
            assertThat(seen.of("release in thread")).containsExactly(TRACE)
        } finally {
            Hooks.disableAutomaticContextPropagation()
            ContextRegistry.getInstance().removeThreadLocalAccessor(SeenTrace.KEY)
            SeenTrace.IN_THREAD.remove()
        }
    }

    /** Awaiting hands on what the coroutine has. */
    private suspend fun noteInBlock() {
        seen.at("block").awaitSingleOrNull()
    }

    companion object {

        @JvmField
        @RegisterExtension
        val FIXTURE: LocksFixture = LocksFixture.onTheSharedServer()
    }
}
