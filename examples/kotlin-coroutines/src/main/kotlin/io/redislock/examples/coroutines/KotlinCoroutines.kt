package io.redislock.examples.coroutines

import io.lettuce.core.RedisClient
import io.lettuce.core.RedisException
import io.redislock.reactor.ReactiveRedisLocks
import io.redislock.reactor.closeAndAwait
import io.redislock.reactor.connectAndAwait
import io.redislock.testsupport.EmbeddedRedis
import java.io.PrintStream
import kotlin.system.exitProcess
import kotlin.time.Duration.Companion.minutes
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout

/**
 * Tells what the locks do in coroutines, on a Redis that it starts by itself, or on the one whose `redis://` URI it is
 * given. Each class beside this file tells one chapter. What stands between `// snippet: name` and `// end` is shown in
 * README.md, word for word.
 */
fun main(args: Array<String>): Unit = exitProcess(run(System.out, System.err, args.firstOrNull().orEmpty().trim()))

/** Returns the exit code: 0 when the whole story was told. */
internal fun run(out: PrintStream, err: PrintStream, uri: String): Int =
    try {
        if (uri.isEmpty()) {
            EmbeddedRedis.start().use { redis -> tell(Story(out), redis.uri(), redis.describe()) }
        } else {
            tell(Story(out), uri, uri.replace(Regex("//.*@"), "//")) // a password is not told
        }
        0
    } catch (failure: RedisException) {
        val root = generateSequence<Throwable>(failure) { it.cause }.last()
        err.println("Redis cannot be used: ${failure.message} (${root.message})")
        err.println("Start a Redis there, or name another with -Dredis=redis://host:port; without it, one is started.")
        1
    } catch (failure: IllegalArgumentException) {
        err.println("${failure.message}\nIf this is about the address: give it as -Dredis=redis://host:port.")
        1
    }

private fun tell(story: Story, uri: String, where: String) {
    story.begin(where)
    RedisClient.create(uri).use { client ->
        runBlocking {
            withTimeout(2.minutes) { tell(story, client) }
        }
    }
    story.end()
}

private suspend fun tell(story: Story, client: RedisClient) {
    // snippet: kotlin-connect
    val locks = ReactiveRedisLocks.builder(client)
        .keyPrefix("kotlin:")
        .connectAndAwait()
    // end
    try {
        Scoped(locks, story).chapter()
        SkippedIfBusy(locks, story).chapter()
        Cancelled(locks, story).chapter()
        ByHand(locks, story).chapter()
        Lost(locks, story).chapter()
    } finally {
        locks.closeAndAwait()
    }
}
