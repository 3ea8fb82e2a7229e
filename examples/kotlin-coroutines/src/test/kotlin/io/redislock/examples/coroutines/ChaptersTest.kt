package io.redislock.examples.coroutines

import io.lettuce.core.RedisClient
import io.redislock.LockLoss
import io.redislock.LockLostException
import io.redislock.LockOptions
import io.redislock.reactor.ReactiveRedisLocks
import io.redislock.reactor.acquireAndAwait
import io.redislock.reactor.releaseAndAwait
import io.redislock.reactor.withLockAndAwait
import io.redislock.testsupport.EmbeddedRedis
import java.io.OutputStream
import java.io.PrintStream
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.hours
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.runTest
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Test

/**
 * The code of the chapters, in `runTest`: Redis and leases are real there, and only `delay` and the like take virtual
 * time. (So a `withTimeout` around a lock is to be tested on `Dispatchers.Default`: virtual time does not wait.)
 */
internal class ChaptersTest {

    private val story = Story(PrintStream(OutputStream.nullOutputStream()))
    private val here = ReactiveRedisLocks.create(client)
    private val elsewhere = ReactiveRedisLocks.create(client)

    @AfterEach
    fun close() {
        assertThat(client.connect().use { it.sync().dbsize() }).`as`("keys left").isZero()
        here.close().then(elsewhere.close()).block()
    }

    @Test
    fun oneOfManyInstancesWritesTheReport() = runTest {
        val skipped = AtomicInteger()
        val othersSkipped = CompletableDeferred<Unit>()

        val outcomes = listOf(here, elsewhere, here, elsewhere).map { instance ->
            async {
                val outcome = SkippedIfBusy(instance, story).nightlyReport {
                    othersSkipped.await()
                    "written"
                }
                if (outcome != "written" && skipped.incrementAndGet() == 3) {
                    othersSkipped.complete(Unit)
                }
                outcome
            }
        }.awaitAll()

        assertThat(outcomes.sorted()).containsExactly(
            "skipped, somebody else is at it",
            "skipped, somebody else is at it",
            "skipped, somebody else is at it",
            "written",
        )
    }

    @Test
    fun ordersOfOneNumberAreProcessedOneAfterTheOther() = runTest {
        val outcomes = (1..5).map { number ->
            async { Scoped(if (number % 2 == 0) here else elsewhere, story).process(7) }
        }.awaitAll()

        assertThat(outcomes).hasSize(5).containsOnly("order 7: charged, parcel 7 packed, held true")
    }

    @Test
    fun requestThatIsCancelledWhileItWaitsDoesNotPay() = runTest {
        val holder = here.acquireAndAwait("order:8")!!
        val waiting = launch { Cancelled(elsewhere, story).pay(8) { error("paid without a lock") } }
        delay(1.hours) // of virtual time: until there is nothing else to do here

        waiting.cancelAndJoin()

        holder.releaseAndAwait()
    }

    @Test
    fun longTaskIsNotStartedWhileSomebodyElseIsAtIt() = runTest {
        here.withLockAndAwait("long-task") {
            assertThat(ByHand(elsewhere, story).longTask()).isEqualTo("not started: somebody else is at it")
        }
        assertThat(ByHand(elsewhere, story).longTask()).isEqualTo("finished")
    }

    @Test
    fun importIsCancelledWhenItsKeyIsDeleted() = runTest {
        val lost = Lost(here, story)
        val endless = flow {
            emit("first row")
            client.connect().use { it.sync().del("import") }
            awaitCancellation()
        }

        assertThat(lost.importAll(endless)).isEqualTo("not to be relied on: ${LockLoss.DELETED}")
        assertThat(lost.importAll(flowOf("first row"))).isEqualTo("imported")
    }

    @Test
    @OptIn(ExperimentalCoroutinesApi::class)
    fun delayInABlockTakesVirtualTimeAndTheLeaseRealTime() = runTest {
        here.withLockAndAwait("key") { lock ->
            delay(1.hours)
            assertThat(lock.isAcquired).isTrue()
        }

        assertThat(currentTime).isEqualTo(1.hours.inWholeMilliseconds)
    }

    @Test
    fun leaseThatEndsIsALossInATestToo() = runTest {
        val brief = LockOptions.defaults().expiry(Duration.ofSeconds(1))

        val outcome = runCatching { here.withLockAndAwait("key", brief) { awaitCancellation() } }

        assertThat(outcome.exceptionOrNull()).isInstanceOfSatisfying(LockLostException::class.java) { lost ->
            assertThat(lost.reason()).isEqualTo(LockLoss.EXPIRED)
        }
    }

    companion object {

        private lateinit var redis: EmbeddedRedis
        private lateinit var client: RedisClient

        @BeforeAll
        @JvmStatic
        fun start() {
            redis = EmbeddedRedis.start()
            client = RedisClient.create(redis.uri())
        }

        @AfterAll
        @JvmStatic
        fun stop() {
            client.shutdown()
            redis.close()
        }
    }
}
