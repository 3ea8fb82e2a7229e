package io.redislock.examples.coroutines

import io.lettuce.core.RedisClient
import io.redislock.testsupport.EmbeddedRedis
import java.io.ByteArrayOutputStream
import java.io.PrintStream
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** The program as a whole. */
internal class KotlinCoroutinesTest {

    private val out = ByteArrayOutputStream()
    private val err = ByteArrayOutputStream()

    @Test
    fun tellsTheWholeStoryOnARedisOfItsOwn() {
        assertThat(run("")).`as`(err.toString()).isZero()

        assertThat(err.toString()).isEmpty()
        assertThat(lines().first()).startsWith("Locks in coroutines, on embedded redis-server")
        assertThat(lines().last()).isEqualTo("Done.")
        assertThat(chapter("1. Scoped").drop(1))
            .containsExactly("order 123: charged, parcel 123 packed, held true", "query: order:123 is free")
        assertThat(chapter("2. Skipped")).containsExactly(
            "second instance: skipped, somebody else is at it",
            "first instance: the report is written",
        )
        assertThat(chapter("3. Cancelled").map { it.replace(Regex("by \\w+"), "by somebody") }).containsExactly(
            "the client hangs up",
            "tidying up",
            "query: order:8 is held by somebody",
            "query: order:8 is free",
            "tidying up",
            "query: order:9 is held by somebody",
            "with a timeout: too late, and the lock is released",
            "query: order:9 is free",
        )
        assertThat(chapter("4. By hand").drop(1)).containsExactly("finished", "query: long-task is free")
        assertThat(chapter("5. Lost")).containsExactly(
            "first row: stored",
            "second row: cancelled, the lock is LOST",
            "not to be relied on: DELETED",
            "query: import is free",
        )
    }

    @Test
    fun usesTheRedisItIsGivenAndLeavesNothingOnIt() {
        EmbeddedRedis.start().use { redis ->
            assertThat(run(redis.uri())).`as`(err.toString()).isZero()

            RedisClient.create(redis.uri()).use { client ->
                assertThat(client.connect().sync().info("commandstats")).contains("cmdstat_evalsha")
                assertThat(client.connect().sync().dbsize()).isZero()
            }
        }
    }

    @Test
    fun saysWhatToDoWhenRedisCannotBeReached() {
        assertThat(run("redis://user:secret@127.0.0.1:1")).isEqualTo(1)

        assertThat(err.toString()).contains("Redis cannot be used", "Connection refused", "-Dredis=redis://host:port")
        assertThat("$out$err").doesNotContain("Done", "secret")
    }

    @Test
    fun saysWhatToDoWhenTheAddressIsNone() {
        assertThat(run("localhost:6379")).isEqualTo(1)

        assertThat(err.toString()).contains("-Dredis=redis://host:port")
    }

    private fun run(uri: String): Int = run(PrintStream(out, true), PrintStream(err, true), uri)

    private fun lines(): List<String> = out.toString().lines().filter(String::isNotBlank)

    /** What is told under the title that begins like this. */
    private fun chapter(title: String): List<String> = lines()
        .dropWhile { !it.startsWith(title) }
        .drop(1)
        .takeWhile { it.startsWith(" ") }
        .map(String::trim)
}
