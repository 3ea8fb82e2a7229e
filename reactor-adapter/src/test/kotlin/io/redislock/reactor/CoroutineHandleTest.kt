package io.redislock.reactor

import io.lettuce.core.RedisURI
import io.redislock.LockLoss
import io.redislock.LockOptions
import io.redislock.LockState
import io.redislock.LockUnavailableException
import java.time.Duration
import kotlinx.coroutines.async
import kotlinx.coroutines.flow.toList
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension

/** The operations without a block, from coroutines. */
internal class CoroutineHandleTest {

    private val locks = FIXTURE.locks()
    private val key = FIXTURE.freshKey()

    @Test
    fun acquiredLockIsTheCallersUntilItIsReleased() = coroutineTest {
        val lock = locks.acquireAndAwait(key, MINUTE)!!

        assertThat(FIXTURE.redis().get(key)).isEqualTo(lock.value())
        assertThat(lock.extendAndAwait(EXPIRY.multipliedBy(2))).isTrue()
        assertThat(FIXTURE.redis().pttl(key)).isGreaterThan(EXPIRY.toMillis())
        assertThat(lock.releaseAndAwait()).isTrue()
        assertThat(lock.releaseAndAwait()).`as`("the first outcome").isTrue()
        assertThat(lock.extendAndAwait(EXPIRY)).isFalse()
        assertThat(FIXTURE.exists(key)).isFalse()
    }

    @Test
    fun busyToTheEndIsNull() = coroutineTest {
        FIXTURE.put(key, "another", EXPIRY)

        assertThat(locks.acquireAndAwait(key, MINUTE.retry(1, Duration.ofMillis(1)))).isNull()
        assertThat(locks.acquireAndAwait(key, EXPIRY, 1, Duration.ofMillis(1))).isNull()
    }

    @Test
    fun optionsMayBeLeftOutOrReplaced() = coroutineTest {
        locks.acquireAndAwait(key)!!.let { lock ->
            assertThat(lock.remaining()).isLessThanOrEqualTo(LockOptions.defaults().expiry())
            lock.releaseAndAwait()
        }
        locks.acquireAndAwait(key, EXPIRY, 0, EXPIRY)!!.let { lock ->
            assertThat(lock.remaining()).isBetween(Duration.ofSeconds(45), EXPIRY)
            lock.releaseAndAwait()
        }
    }

    @Test
    fun valueOfTheCallersOwnIsTakenAskedForExtendedAndReleased() = coroutineTest {
        assertThat(locks.queryAndAwait(key)).isNull()
        assertThat(locks.takeAndAwait(key, "ours", EXPIRY)).isTrue()
        assertThat(locks.takeAndAwait(key, "another", EXPIRY)).isFalse()
        assertThat(locks.queryAndAwait(key)).isEqualTo("ours")
        assertThat(locks.extendAndAwait(key, "another", EXPIRY)).isFalse()
        assertThat(locks.extendAndAwait(key, "ours", EXPIRY.multipliedBy(2))).isTrue()
        assertThat(FIXTURE.redis().pttl(key)).isGreaterThan(EXPIRY.toMillis())
        assertThat(locks.releaseAndAwait(key, "another")).isFalse()
        assertThat(locks.releaseAndAwait(key, "ours")).isTrue()
        assertThat(locks.queryAndAwait(key)).isNull()
    }

    @Test
    fun lossIsAwaitedAndCollected() = coroutineTest {
        val lock = locks.acquireAndAwait(key, MINUTE.expiry(Duration.ofSeconds(1)))!!

        assertThat(lock.awaitLost()).isEqualTo(LockLoss.EXPIRED)
        assertThat(lock.lostAsFlow().toList()).containsExactly(LockLoss.EXPIRED)
        assertThat(lock.state()).isEqualTo(LockState.LOST)
        lock.releaseAndAwait()
    }

    @Test
    fun lockThatIsReleasedIsNeverLost() = coroutineTest {
        val lock = locks.acquireAndAwait(key, MINUTE)!!
        val awaited = async { lock.awaitLost() }
        val collected = async { lock.lostAsFlow().toList() }

        lock.releaseAndAwait()

        assertThat(awaited.await()).isNull()
        assertThat(collected.await()).isEmpty()
    }

    @Test
    fun connectsAndClosesWithoutBlocking() = coroutineTest {
        val own = ReactiveRedisLocks.builder(FIXTURE.client()).connectAndAwait()

        assertThat(own.withLockAndAwait(key) { "worked" }).isEqualTo("worked")
        own.closeAndAwait()

        failureOf<LockUnavailableException> { own.acquireAndAwait(key) }
        failureOf<LockUnavailableException> { own.queryAndAwait(key) }
    }

    @Test
    fun addressWithoutARedisIsTheErrorOfConnect() = coroutineTest {
        val nobody = RedisURI.create("redis://127.0.0.1:1")

        failureOf<io.lettuce.core.RedisConnectionException> {
            ReactiveRedisLocks.builder(FIXTURE.client()).uri(nobody).connectAndAwait()
        }
    }

    companion object {

        private val EXPIRY: Duration = Duration.ofSeconds(60)
        private val MINUTE = LockOptions.defaults().expiry(EXPIRY)

        @JvmField
        @RegisterExtension
        val FIXTURE: LocksFixture = LocksFixture.onTheSharedServer()
    }
}
