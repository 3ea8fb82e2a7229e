package io.redislock.reactor

import io.redislock.LockNotAcquiredException
import io.redislock.LockOptions
import io.redislock.LockUnavailableException
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension

/** A block under a lock: its outcome is the caller's, and the lock is gone when the caller has it. */
internal class WithLockAndAwaitTest {

    private val locks = FIXTURE.locks()
    private val key = FIXTURE.freshKey()
    private val calls = AtomicInteger()

    @Test
    fun resultOfTheBlockIsReturnedAfterTheRelease() = coroutineTest {
        val held = locks.withLockAndAwait(key, OPTIONS) { lock -> FIXTURE.redis().get(key) == lock.value() }

        assertThat(held).`as`("the key holds the handle's value during the block").isTrue()
        assertReleased()
    }

    @Test
    fun nullAndUnitAreResultsToo() = coroutineTest {
        val nothing: String? = locks.withLockAndAwait(key, OPTIONS) { null }
        val unit: Unit = locks.withLockAndAwait(key, OPTIONS) { }

        assertThat(nothing).isNull()
        assertThat(unit).isSameAs(Unit)
        assertReleased()
    }

    @Test
    fun handleInTheBlockIsHeldAndAfterwardsIsNot() = coroutineTest {
        val (given, held) = locks.withLockAndAwait(key) { lock -> lock to lock.isAcquired }

        assertThat(held).isTrue()
        assertThat(given.key()).isEqualTo(key)
        assertThat(given.isAcquired).isFalse()
        assertThat(given.releaseAndAwait()).`as`("it was released").isTrue()
    }

    @Test
    fun optionsOfTheInstanceAreTheDefaults() = coroutineTest {
        val own = FIXTURE.locks { builder -> builder.defaults(OPTIONS.retry(0, EXPIRY).expiry(Duration.ofMinutes(9))) }

        val life = own.withLockAndAwait(key) { FIXTURE.redis().pttl(key) }
        FIXTURE.put(key, "another", EXPIRY)
        val busy = failureOf<LockNotAcquiredException> { own.withLockAndAwait(key) { calls.incrementAndGet() } }

        assertThat(life).isGreaterThan(Duration.ofMinutes(8).toMillis())
        assertThat(busy.attempts()).isEqualTo(1)
    }

    @Test
    fun failureOfTheBlockComesOutAndReleases() = coroutineTest {
        val own = OwnFailure(1)

        assertThat(failureOf<OwnFailure> { locks.withLockAndAwait(key, OPTIONS) { throw own } }).isSameAs(own)
        assertReleased()
    }

    @Test
    fun busyToTheEndIsNotAcquiredWithTheFactsAndTheBlockIsNotCalled() = coroutineTest {
        FIXTURE.put(key, "another", EXPIRY)

        val busy = failureOf<LockNotAcquiredException> {
            locks.withLockAndAwait(key, OPTIONS.retry(2, Duration.ofMillis(20))) { calls.incrementAndGet() }
        }

        assertThat(busy.key()).isEqualTo(key)
        assertThat(busy.attempts()).isEqualTo(3)
        assertThat(busy.holderRemaining()).hasValueSatisfying { left -> assertThat(left).isPositive() }
        assertThat(calls).hasValue(0)
        assertThat(FIXTURE.redis().get(key)).isEqualTo("another")
    }

    @Test
    fun redisThatDoesNotAnswerIsUnavailableAndTheBlockIsNotCalled() = coroutineTest {
        FIXTURE.server().pause()

        val down = failureOf<LockUnavailableException> {
            locks.withLockAndAwait(key, IMPATIENT) { calls.incrementAndGet() }
        }
        FIXTURE.server().resume()

        assertThat(down.outcomeUnknown()).isTrue()
        assertThat(calls).hasValue(0)
        LocksFixture.settle(locks, FIXTURE.freshKey())
        awaitUntil("what it may have taken is released") { !FIXTURE.exists(key) }
    }

    @Test
    fun resultStandsWhenTheReleaseIsNotAnswered() = coroutineTest {
        val result = locks.withLockAndAwait(key, IMPATIENT) {
            FIXTURE.server().pause()
            "worked"
        }
        FIXTURE.server().resume()

        assertThat(result).isEqualTo("worked")
        awaitUntil("the key is released") { !FIXTURE.exists(key) }
    }

    @Test
    fun failureOfTheBlockStandsWhenTheReleaseIsNotAnswered() = coroutineTest {
        val own = OwnFailure(2)

        val failure = failureOf<OwnFailure> {
            locks.withLockAndAwait(key, IMPATIENT) {
                FIXTURE.server().pause()
                throw own
            }
        }
        FIXTURE.server().resume()

        assertThat(failure).isSameAs(own)
        awaitUntil("the key is released") { !FIXTURE.exists(key) }
    }

    @Test
    fun lockOnTheSameKeyInTheBlockIsBusyAndOnAnotherIsHeldToo() = coroutineTest {
        val second = FIXTURE.freshKey()

        val both = locks.withLockAndAwait(key, OPTIONS) {
            failureOf<LockNotAcquiredException> {
                locks.withLockAndAwait(key, OPTIONS.retry(0, EXPIRY)) { calls.incrementAndGet() }
            }
            locks.withLockAndAwait(second, OPTIONS) { FIXTURE.redis().exists(key, second) }
        }

        assertThat(both).isEqualTo(2)
        assertThat(calls).hasValue(0)
    }

    @Test
    fun badArgumentsAreRefusedByName() = coroutineTest {
        assertThat(failureOf<IllegalArgumentException> { locks.withLockAndAwait("", OPTIONS) { } })
            .hasMessageContaining("key")
        assertThat(failureOf<IllegalArgumentException> { locks.acquireAndAwait(key, EXPIRY, -1, EXPIRY) })
            .hasMessageContaining("maxRetries")
    }

    /** A wrapper, as an application or a framework may put around the locks. */
    @Test
    fun worksOnLocksFromElsewhereToo() = coroutineTest {
        val wrapped = object : ReactiveRedisLocks by locks {}

        assertThat(wrapped.withLockAndAwait(key) { FIXTURE.exists(key) }).isTrue()
        assertReleased()
        FIXTURE.put(key, "another", EXPIRY)
        val busy = failureOf<LockNotAcquiredException> {
            wrapped.withLockAndAwait(key, OPTIONS.retry(1, Duration.ofMillis(20))) { calls.incrementAndGet() }
        }
        assertThat(busy.key()).isEqualTo(key)
        assertThat(busy.waited()).isGreaterThanOrEqualTo(Duration.ofMillis(20))
        assertThat(busy.attempts()).isEqualTo(2)
        assertThat(busy.holderRemaining()).isPresent()
        assertThat(calls).hasValue(0)
    }

    private fun assertReleased() = assertThat(FIXTURE.exists(key)).`as`("the key exists").isFalse()

    companion object {

        private val EXPIRY: Duration = Duration.ofSeconds(60)
        private val OPTIONS = LockOptions.defaults().expiry(EXPIRY)

        /** Where a server that does not answer is waited for. */
        private val IMPATIENT = OPTIONS.commandTimeout(Duration.ofMillis(500))

        @JvmField
        @RegisterExtension
        val FIXTURE: LocksFixture = LocksFixture.onAServerOfItsOwn()
    }
}
