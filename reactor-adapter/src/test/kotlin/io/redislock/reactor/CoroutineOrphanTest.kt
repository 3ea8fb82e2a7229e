package io.redislock.reactor

import io.lettuce.core.RedisClient
import io.redislock.LockOptions
import io.redislock.testsupport.RedisServer
import java.time.Duration
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ThreadLocalRandom
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.delay
import kotlinx.coroutines.reactor.mono
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource
import org.reactivestreams.Publisher

/**
 * Whatever moment coroutines are cancelled at, no key is left two seconds later, although it would live for a minute,
 * no two blocks are under a lock of the same key at once, and nothing of a block runs when its call has ended. Every
 * fourth call fights for one of a few keys. It is [NoOrphanTest] for coroutines.
 */
internal class CoroutineOrphanTest {

    enum class Scope { WITH_LOCK, ACQUIRE, TAKE }

    private val inside = ConcurrentHashMap<String, AtomicInteger>()
    private val worked = AtomicInteger()
    private val wrong = ConcurrentHashMap.newKeySet<String>()
    private lateinit var client: RedisClient
    private lateinit var locks: ReactiveRedisLocks

    private val redis by lazy { client.connect().sync() }

    @BeforeEach
    fun connect() {
        client = RedisClient.create(RedisServer.shared().uri())
        redis.flushall()
        locks = ReactiveRedisLocks.create(client)
    }

    @AfterEach
    fun disconnect() {
        locks.close().block(Await.PATIENCE)
        client.shutdown()
    }

    @ParameterizedTest
    @EnumSource
    fun cancelledCoroutinesLeaveNoKey(scope: Scope) {
        CancelRounds(ROUNDS, worked::get).cancelling { round -> coroutine(round) { call(scope, round) } }

        assertNothingIsLeft("$scope cancelled")
    }

    @Test
    fun timeoutsAroundTheLockLeaveNoKey() {
        CancelRounds(ROUNDS, worked::get).cancelling { round ->
            coroutine(round) {
                withTimeoutOrNull(ThreadLocalRandom.current().nextLong(1, 8)) { call(Scope.WITH_LOCK, round) }
            }
        }

        assertNothingIsLeft("${Scope.WITH_LOCK} timed out")
    }

    /** With a dispatcher that hops, and with one that goes on where the signal comes, as in handlers of WebFlux. */
    private fun coroutine(round: Int, call: suspend () -> Unit): Publisher<*> =
        mono(if (round % 3 == 0) Dispatchers.Unconfined else Dispatchers.Default) { call() }

    private suspend fun call(scope: Scope, round: Int) {
        val key = if (round % 4 == 0) "hot:${round / 4 % HOT_KEYS}" else "own:$round"
        when (scope) {
            Scope.WITH_LOCK -> {
                var handle: RedisLock? = null
                val running = AtomicInteger()
                try {
                    locks.withLockAndAwait(key, MINUTE) { lock ->
                        handle = lock
                        work(key, running)
                    }
                } finally {
                    noteUnless(running.get() == 0, "a block that runs after its call has ended")
                    noteUnless(handle?.isAcquired != true, "a lock that is held after its call has ended")
                }
            }
            Scope.ACQUIRE -> {
                val lock = locks.acquireAndAwait(key, MINUTE) ?: return
                try {
                    work(key, AtomicInteger())
                } finally {
                    lock.releaseAndAwait()
                }
            }
            Scope.TAKE -> {
                val value = "caller $round"
                if (locks.takeAndAwait(key, value, MINUTE.expiry())) {
                    try {
                        work(key, AtomicInteger())
                    } finally {
                        locks.releaseAndAwait(key, value)
                    }
                }
            }
        }
    }

    /** With a clean-up that suspends: it is part of the work. */
    private suspend fun work(key: String, running: AtomicInteger) {
        val here = inside.computeIfAbsent(key) { AtomicInteger() }
        noteUnless(here.incrementAndGet() == 1, "two under $key")
        running.incrementAndGet()
        try {
            if (worked.incrementAndGet() % 2 == 0) {
                delay(1)
            }
        } finally {
            withContext(NonCancellable) { yield() }
            running.decrementAndGet()
            here.decrementAndGet()
        }
    }

    private fun noteUnless(right: Boolean, what: String) {
        if (!right) {
            wrong.add(what)
        }
    }

    private fun assertNothingIsLeft(what: String) {
        locks.query("none").block(Await.PATIENCE)
        val end = System.nanoTime() + Duration.ofSeconds(2).toNanos()
        while (redis.dbsize() > 0 && System.nanoTime() - end < 0) {
            Thread.onSpinWait()
        }
        val left = redis.dbsize()
        println("$what: $ROUNDS rounds, ${worked.get()} worked, $left orphans")
        assertThat(left).`as`("keys left, such as %s", redis.randomkey()).isZero()
        assertThat(wrong).isEmpty()
        assertThat(worked.get()).isBetween(ROUNDS / 50, ROUNDS - ROUNDS / 50)
    }

    private companion object {

        val ROUNDS = Rounds.of(20_000)
        const val HOT_KEYS = 4
        val MINUTE: LockOptions = LockOptions.defaults().expiry(Duration.ofSeconds(60)).retry(5, Duration.ofMillis(1))
    }
}
