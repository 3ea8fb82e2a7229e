package io.redislock.reactor

import io.redislock.LockLoss
import io.redislock.LockLostException
import io.redislock.LockOptions
import io.redislock.LockUnavailableException
import io.redislock.reactor.store.InMemoryLockStore.Fault
import java.time.Duration
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.isActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension

/** A block does not outlive its lease: it is cancelled, and the caller learns of the loss when it has ended. */
internal class CoroutineLossTest {

    private val locks = FIXTURE.locks()
    private val key = FIXTURE.freshKey()
    private val seen = CopyOnWriteArrayList<String>()
    private val inMemory = TracedLocks()

    @Test
    fun leaseThatEndsCancelsTheBlockAndItsChildren() = coroutineTest {
        val lost = failureOf<LockLostException> {
            locks.withLockAndAwait(key, BRIEF) { lock ->
                launch { tellingWhy("child") }
                tellingWhy("block, ${lock.isAcquired}")
            }
        }

        assertThat(lost.reason()).isEqualTo(LockLoss.EXPIRED)
        assertThat(lost.key()).isEqualTo(key)
        assertThat(seen).containsExactlyInAnyOrder("block, true: EXPIRED", "child: EXPIRED")
    }

    @Test
    fun keyThatSomebodyDeletesCancelsTheBlock() = coroutineTest {
        val lost = failureOf<LockLostException> {
            locks.withLockAndAwait(key, RENEWED) {
                FIXTURE.redis().del(key)
                tellingWhy("block")
            }
        }

        assertThat(lost.reason()).isEqualTo(LockLoss.DELETED)
        assertThat(seen).containsExactly("block: DELETED")
    }

    /** The block had ended by itself, and what is lost then is lost in its clean-up. */
    @Test
    fun lossWhileAChildCleansUpDoesNotReplaceTheFailureOfTheBlock() = coroutineTest {
        val own = OwnFailure(3)

        val failure = failureOf<OwnFailure> {
            locks.withLockAndAwait(key, RENEWED) { lock ->
                val begun = CompletableDeferred<Unit>()
                launch {
                    try {
                        begun.complete(Unit)
                        awaitCancellation()
                    } finally {
                        withContext(NonCancellable) {
                            FIXTURE.redis().del(key)
                            seen += "lost as ${lock.awaitLost()}"
                        }
                    }
                }
                begun.await()
                throw own
            }
        }

        assertThat(failure).isSameAs(own)
        assertThat(seen).containsExactly("lost as DELETED")
    }

    @Test
    fun closeCancelsTheBlock() = coroutineTest {
        val own = FIXTURE.locks { it }

        val lost = failureOf<LockLostException> {
            own.withLockAndAwait(key, MINUTE) {
                launch { own.closeAndAwait() }
                awaitCancellation()
            }
        }

        assertThat(lost.reason()).isEqualTo(LockLoss.CLOSED)
        assertThat(FIXTURE.exists(key)).isFalse()
        failureOf<LockUnavailableException> { own.withLockAndAwait(key, MINUTE) { "called" } }
    }

    /** The key is left to the release then, so that nobody else begins while the block still cleans up. */
    @Test
    fun lockThatWasHeldForAsLongAsAllowedIsReleasedWhenTheBlockHasCleanedUp() = coroutineTest {
        val lost = failureOf<LockLostException> {
            locks.withLockAndAwait(key, MINUTE.autoRenew(Duration.ofMillis(300))) {
                try {
                    awaitCancellation()
                } finally {
                    withContext(NonCancellable) {
                        delay(200)
                        seen.add("held ${FIXTURE.exists(key)}")
                    }
                }
            }
        }

        assertThat(lost.reason()).isEqualTo(LockLoss.MAX_HOLD_REACHED)
        assertThat(seen).containsExactly("held true")
        assertThat(FIXTURE.exists(key)).isFalse()
    }

    @Test
    fun blockThatIgnoresItsCancellationHasLostAllTheSame() = coroutineTest {
        failureOf<LockLostException> {
            locks.withLockAndAwait(key, BRIEF) {
                try {
                    awaitCancellation()
                } catch (ignored: CancellationException) {
                    "result"
                }
            }
        }
    }

    @Test
    fun whatFailsInTheCleanUpIsKeptBesideTheLoss() = coroutineTest {
        val own = OwnFailure(1)

        val lost = failureOf<LockLostException> {
            locks.withLockAndAwait(key, BRIEF) {
                try {
                    awaitCancellation()
                } finally {
                    throw own
                }
            }
        }

        assertThat(lost.suppressed).contains(own)
    }

    /** Nothing else can run on that thread, so whoever cancels must not need it. */
    @Test
    fun blockThatComputesOnTheOnlyThreadOfItsCallerIsCancelledToo() = coroutineTest {
        failureOf<LockLostException> {
            locks.withLockAndAwait(key, BRIEF) {
                val bound = System.nanoTime() + Await.PATIENCE.toNanos()
                while (isActive && System.nanoTime() - bound < 0) {
                    Thread.onSpinWait()
                }
                seen.add("active $isActive")
            }
        }

        assertThat(seen).containsExactly("active false")
    }

    @Test
    fun blockIsNotCalledUnderALeaseThatIsOver() {
        val calls = AtomicInteger()
        val busy = HoldingDispatcher()
        val job = CoroutineScope(busy).launch {
            val lost = failureOf<LockLostException> { locks.withLockAndAwait(key, BRIEF) { calls.incrementAndGet() } }
            seen.add("${lost.reason()}")
        }
        FIXTURE.server().pause()
        busy.runOne()
        FIXTURE.server().resume()
        busy.awaitOneHeld()
        awaitUntil("the lease is over") { !FIXTURE.exists(key) }

        busy.runUntilEnded(job)

        assertThat(seen).containsExactly("EXPIRED")
        assertThat(calls).hasValue(0)
    }

    @Test
    fun blockMayReleaseTheLockItselfAndGoOn() = coroutineTest {
        val result = locks.withLockAndAwait(key, BRIEF) { lock ->
            lock.releaseAndAwait()
            delay(EXPIRY_OF_BRIEF.toMillis() * 3 / 2)
            "result"
        }

        assertThat(result).isEqualTo("result")
    }

    /** A lease is renewed as long as somebody has its handle. The block has, although it does not look at it. */
    @Test
    fun blockThatDoesNotLookAtItsHandleKeepsItWhileGarbageIsCollected() = coroutineTest {
        val renewed = MINUTE.expiry(EXPIRY_OF_BRIEF).autoRenew(Duration.ofMinutes(1))

        locks.withLockAndAwait(key, renewed) {
            repeat(3 * EXPIRY_OF_BRIEF.toMillis().toInt() / 100) {
                System.gc()
                delay(100)
                assertThat(FIXTURE.exists(key)).isTrue()
            }
        }

        assertThat(FIXTURE.exists(key)).isFalse()
    }

    @Test
    fun keyThatTheReleaseFindsGoneOrAnothersIsALossAlthoughTheBlockSucceeded() = coroutineTest {
        assertThat(lossOf { inMemory.store.delete("key") }).isEqualTo(LockLoss.DELETED)
        assertThat(lossOf { inMemory.store.put("key", "foreign", EXPIRY) }).isEqualTo(LockLoss.TAKEN_OVER)
        assertThat(inMemory.store.value("key")).contains("foreign")
    }

    @Test
    fun keyThatACopyOfTheReleaseMayHaveDeletedIsNoAlarm() = coroutineTest {
        val result = inMemory.locks.withLockAndAwait("key") {
            inMemory.store.faults(Fault.RESENT)
            "result"
        }

        assertThat(result).isEqualTo("result")
    }

    @Test
    fun failureOfTheBlockStaysPrimaryWhateverTheReleaseFinds() = coroutineTest {
        val own = OwnFailure(2)

        val failure = failureOf<OwnFailure> {
            inMemory.locks.withLockAndAwait("key") {
                inMemory.store.delete("key")
                throw own
            }
        }

        assertThat(failure).isSameAs(own)
        assertThat(failure.suppressed).isEmpty()
    }

    private suspend fun lossOf(event: () -> Unit): LockLoss =
        failureOf<LockLostException> { inMemory.locks.withLockAndAwait("key") { event() } }.reason()

    private suspend fun tellingWhy(who: String): Nothing =
        try {
            awaitCancellation()
        } catch (cancelled: CancellationException) {
            val loss = generateSequence<Throwable>(cancelled) { it.cause }.filterIsInstance<LockLostException>().first()
            seen.add("$who: ${loss.reason()}")
            throw cancelled
        }

    companion object {

        private val EXPIRY: Duration = Duration.ofSeconds(60)
        private val EXPIRY_OF_BRIEF: Duration = Duration.ofSeconds(1)
        private val MINUTE = LockOptions.defaults().expiry(EXPIRY)
        private val BRIEF = MINUTE.expiry(EXPIRY_OF_BRIEF)

        /** Also where the server does not tell of changes, the next renewal finds out. */
        private val RENEWED = MINUTE.expiry(Duration.ofSeconds(3)).autoRenew(EXPIRY)

        @JvmField
        @RegisterExtension
        val FIXTURE: LocksFixture = LocksFixture.onAServerOfItsOwn()
    }
}
