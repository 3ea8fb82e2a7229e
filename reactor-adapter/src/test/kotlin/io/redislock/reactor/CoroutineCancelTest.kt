package io.redislock.reactor

import io.lettuce.core.ClientOptions
import io.redislock.LockOptions
import java.time.Duration
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.reactor.awaitSingleOrNull
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension

/** A coroutine that is cancelled leaves no lock behind, whatever it was doing at that moment. */
internal class CoroutineCancelTest {

    private val locks = FIXTURE.locks()
    private val key = FIXTURE.freshKey()

    @Test
    fun cancelEndsTheBlockAndTheReleaseFollowsItsCleanUp() = coroutineTest {
        val working = CompletableDeferred<Unit>()
        val heldAfterCleanUp = AtomicBoolean()
        val job = launch(Dispatchers.Default) {
            locks.withLockAndAwait(key, MINUTE) {
                try {
                    working.complete(Unit)
                    awaitCancellation()
                } finally {
                    withContext(NonCancellable) {
                        delay(100)
                        heldAfterCleanUp.set(FIXTURE.exists(key))
                    }
                }
            }
        }
        working.await()

        job.cancelAndJoin()

        assertThat(heldAfterCleanUp).isTrue()
        assertThat(FIXTURE.exists(key)).`as`("the key exists when the coroutine has ended").isFalse()
    }

    @Test
    fun callerThatIsCancelledWaitsForTheAnswerToTheRelease() = coroutineTest {
        val working = CompletableDeferred<Unit>()
        val job = launch(Dispatchers.Default) {
            locks.withLockAndAwait(key, MINUTE.commandTimeout(EXPIRY)) {
                working.complete(Unit)
                awaitCancellation()
            }
        }
        working.await()
        FIXTURE.server().pause()

        job.cancel(null)

        assertThat(withTimeoutOrNull(300) { job.join() }).`as`("ended without an answer").isNull()
        FIXTURE.server().resume()
        job.join()
        assertThat(FIXTURE.exists(key)).isFalse()
    }

    @Test
    fun cancelWhileWaitingEndsTheAttemptsAndTheBlockIsNeverCalled() = coroutineTest {
        val calls = AtomicInteger()
        FIXTURE.put(key, "another", EXPIRY)
        FIXTURE.resetStats()
        val job = launch(Dispatchers.Default) {
            locks.withLockAndAwait(key, MINUTE.retry(1_000_000, Duration.ofMillis(1))) { calls.incrementAndGet() }
        }
        awaitUntil("it waits") { FIXTURE.scriptCalls() >= 3 }

        job.cancelAndJoin()
        FIXTURE.redis().del(key)

        LocksFixture.settle(locks, FIXTURE.freshKey())
        awaitUntil("an attempt in flight is released") { !FIXTURE.exists(key) }
        assertThat(calls).hasValue(0)
    }

    @Test
    fun lockThatComesBeforeACancelAndItsTurnAfterItIsGivenBack() {
        val calls = AtomicInteger()

        cancelBetweenTheSignalAndTheTurn { locks.acquireAndAwait(key, MINUTE) }
        awaitUntil("the lock of acquireAndAwait is released") { !FIXTURE.exists(key) }
        cancelBetweenTheSignalAndTheTurn { locks.withLockAndAwait(key, MINUTE) { calls.incrementAndGet() } }
        awaitUntil("the lock of withLockAndAwait is released") { !FIXTURE.exists(key) }
        cancelBetweenTheSignalAndTheTurn { locks.takeAndAwait(key, "ours", EXPIRY) }
        awaitUntil("the key of takeAndAwait is released") { !FIXTURE.exists(key) }

        assertThat(calls).hasValue(0)
    }

    /** Why these functions do not simply await: this is what shows that the test above can fail. */
    @Test
    fun awaitOfTheLibraryDropsALockThatComesBeforeACancel() {
        cancelBetweenTheSignalAndTheTurn { locks.acquire(key, MINUTE).awaitSingleOrNull() }

        LocksFixture.settle(locks, FIXTURE.freshKey())
        assertThat(FIXTURE.exists(key)).isTrue()
    }

    @Test
    fun takeThatDidNotTakeReleasesNothingWhenItIsCancelled() {
        FIXTURE.put(key, "ours", EXPIRY)

        cancelBetweenTheSignalAndTheTurn { locks.takeAndAwait(key, "ours", EXPIRY) }

        LocksFixture.settle(locks, FIXTURE.freshKey())
        assertThat(FIXTURE.redis().get(key)).isEqualTo("ours")
    }

    @Test
    fun connectionThatComesBeforeACancelIsClosed() {
        val client = FIXTURE.client(FIXTURE.server().uri(), ClientOptions.create())
        val before = clients()

        cancelBetweenTheSignalAndTheTurn {
            ReactiveRedisLocks.builder(client).connectAndAwait()
        }

        awaitUntil("its connection is closed") { clients() == before }
    }

    /** Suspending in the `finally` of a cancelled coroutine usually fails at once; a release must not. */
    @Test
    fun releasesAreSentAndAwaitedInACancelledCoroutine() = coroutineTest {
        val second = FIXTURE.freshKey()
        val outcomes = CompletableDeferred<List<Boolean>>()
        val job = launch {
            val lock = locks.acquireAndAwait(key, MINUTE)!!
            locks.takeAndAwait(second, "ours", EXPIRY)
            try {
                coroutineContext.job.cancel(null)
                awaitCancellation()
            } finally {
                outcomes.complete(listOf(lock.releaseAndAwait(), locks.releaseAndAwait(second, "ours")))
            }
        }
        job.join()

        assertThat(outcomes.await()).containsExactly(true, true)
        assertThat(FIXTURE.redis().exists(key, second)).isZero()
    }

    @Test
    fun cancelledCoroutineAcquiresNothing() = coroutineTest {
        FIXTURE.loadScripts()
        FIXTURE.resetStats()

        coroutineScope {
            launch {
                coroutineContext.job.cancel(null)
                failureOf<CancellationException> { locks.withLockAndAwait(key, MINUTE) { "called" } }
                failureOf<CancellationException> { locks.acquireAndAwait(key, MINUTE) }
                failureOf<CancellationException> { locks.takeAndAwait(key, "ours", EXPIRY) }
            }
        }

        LocksFixture.settle(locks, FIXTURE.freshKey())
        assertThat(FIXTURE.scriptCalls()).isZero()
        assertThat(FIXTURE.exists(key)).isFalse()
    }

    @Test
    fun closeIsDoneInACancelledCoroutine() = coroutineTest {
        val own = FIXTURE.locks(FIXTURE.client(FIXTURE.server().uri(), ClientOptions.create())) { it }
        val connected = clients()

        launch {
            coroutineContext.job.cancel(null)
            own.closeAndAwait()
        }.join()

        awaitUntil("its connection is closed") { clients() == connected - 1 }
    }

    /** The value is there, and waits for the coroutine's turn; then the cancel comes, then the turn. */
    private fun cancelBetweenTheSignalAndTheTurn(call: suspend () -> Any?) {
        val dispatcher = HoldingDispatcher()
        val returned = AtomicBoolean()
        val job = CoroutineScope(dispatcher).launch {
            call()
            returned.set(true)
        }
        FIXTURE.server().pause()
        dispatcher.runOne()
        FIXTURE.server().resume()
        dispatcher.awaitOneHeld()

        job.cancel(null)

        dispatcher.runUntilEnded(job)
        assertThat(returned).isFalse()
    }

    private fun clients(): Int = FIXTURE.redis().clientList().lines().count(String::isNotBlank)

    companion object {

        private val EXPIRY: Duration = Duration.ofSeconds(60)
        private val MINUTE = LockOptions.defaults().expiry(EXPIRY)

        @JvmField
        @RegisterExtension
        val FIXTURE: LocksFixture = LocksFixture.onAServerOfItsOwn()
    }
}
