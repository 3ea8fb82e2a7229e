package io.redislock.reactor

import io.redislock.LockOptions
import java.time.Duration
import java.util.concurrent.CopyOnWriteArrayList
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancel
import kotlinx.coroutines.delay
import kotlinx.coroutines.ensureActive
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.withTimeoutOrNull
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension

/** The block is a scope of its own and a child of its caller, as with `coroutineScope`; the release comes after it. */
internal class CoroutineStructureTest {

    private val locks = FIXTURE.locks()
    private val key = FIXTURE.freshKey()
    private val seen = CopyOnWriteArrayList<String>()

    @AfterEach
    fun nothingIsLeft() {
        assertThat(FIXTURE.exists(key)).`as`("the key exists after the call").isFalse()
    }

    @Test
    fun childrenOfTheBlockEndBeforeTheRelease() = coroutineTest {
        val result = locks.withLockAndAwait(key, OPTIONS) {
            launch { tellWhetherHeldAfterAWhile("child") }
            "body"
        }

        assertThat(result).isEqualTo("body")
        assertThat(seen).containsExactly("child: held true")
    }

    @Test
    fun resultsOfChildrenCanBeAwaited() = coroutineTest {
        val sum = locks.withLockAndAwait(key, OPTIONS) { (1..3).map { async { it } }.awaitAll().sum() }

        assertThat(sum).isEqualTo(6)
    }

    @Test
    fun failureOfAChildIsTheFailureAndItsSiblingsAreCancelledAndCleanUpUnderTheLock() = coroutineTest {
        val own = OwnFailure(1)

        val failure = failureOf<OwnFailure> {
            locks.withLockAndAwait(key, OPTIONS) {
                launch { cleaningUp("sibling") { awaitCancellation() } }
                launch {
                    delay(1)
                    throw own
                }
                cleaningUp("body") { awaitCancellation() }
            }
        }

        assertThat(failure).isSameAs(own)
        assertThat(seen).containsExactlyInAnyOrder("sibling: held true", "body: held true")
    }

    @Test
    fun failureOfTheBodyCancelsItsChildrenAndTheyCleanUpUnderTheLock() = coroutineTest {
        val own = OwnFailure(2)

        val failure = failureOf<OwnFailure> {
            locks.withLockAndAwait(key, OPTIONS) {
                val begun = CompletableDeferred<Unit>()
                launch {
                    cleaningUp("child") {
                        begun.complete(Unit)
                        awaitCancellation()
                    }
                }
                begun.await()
                throw own
            }
        }

        assertThat(failure).isSameAs(own)
        assertThat(seen).containsExactly("child: held true")
    }

    /** Coroutines may copy a failure, to add a stack trace: the type stays, and the first one is the cause. */
    @Test
    fun failureThatCanBeCopiedKeepsItsType() = coroutineTest {
        val own = IllegalStateException("own")

        val failure = failureOf<IllegalStateException> {
            locks.withLockAndAwait(key, OPTIONS) {
                delay(1)
                throw own
            }
        }

        assertThat(failure).hasMessage("own")
        assertThat(generateSequence<Throwable>(failure) { it.cause }.toList()).contains(own)
    }

    @Test
    fun timeoutInTheBlockComesOutAsItselfAndTheCallerGoesOn() = coroutineTest {
        failureOf<TimeoutCancellationException> {
            locks.withLockAndAwait(key, OPTIONS) { withTimeout(20) { awaitCancellation() } }
        }
        ensureActive()

        assertThat(locks.withLockAndAwait(key, OPTIONS) { withTimeoutOrNull(20) { awaitCancellation() } ?: "late" })
            .isEqualTo("late")
    }

    @Test
    fun timeoutAroundItCancelsTheBlockAndReleasesBeforeItReturns() = coroutineTest {
        locks.withLockAndAwait(key, OPTIONS) { } // so that the first use of everything takes nothing of the time
        val result: Any? = withTimeoutOrNull(1_000) {
            locks.withLockAndAwait(key, OPTIONS) { cleaningUp("block") { awaitCancellation() } }
        }

        assertThat(result).isNull()
        assertThat(FIXTURE.exists(key)).isFalse()
        assertThat(seen).containsExactly("block: held true")
    }

    @Test
    fun cancellationExceptionOfTheBlockPassesThrough() = coroutineTest {
        class OwnCancellation : CancellationException("own")

        failureOf<OwnCancellation> { locks.withLockAndAwait(key, OPTIONS) { throw OwnCancellation() } }
        failureOf<CancellationException> {
            locks.withLockAndAwait(key, OPTIONS) {
                cancel("by the block itself")
                awaitCancellation()
            }
        }

        ensureActive()
    }

    @Test
    fun flowMayEmitUnderTheLockAndACollectorThatHasEnoughReleases() = coroutineTest {
        val values = flow {
            locks.withLockAndAwait(key, OPTIONS) {
                emit("held ${FIXTURE.exists(key)}")
                emit("second")
            }
            emit("after it: held ${FIXTURE.exists(key)}")
        }

        assertThat(values.toList()).containsExactly("held true", "second", "after it: held false")
        assertThat(values.first()).isEqualTo("held true")
    }

    private suspend fun cleaningUp(who: String, work: suspend () -> Nothing): Nothing =
        try {
            work()
        } finally {
            withContext(NonCancellable) { tellWhetherHeldAfterAWhile(who) }
        }

    private suspend fun tellWhetherHeldAfterAWhile(who: String) {
        delay(50)
        seen.add("$who: held ${FIXTURE.exists(key)}")
    }

    companion object {

        private val OPTIONS = LockOptions.defaults().expiry(Duration.ofSeconds(60))

        @JvmField
        @RegisterExtension
        val FIXTURE: LocksFixture = LocksFixture.onTheSharedServer()
    }
}
