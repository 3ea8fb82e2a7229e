package io.redislock.examples.coroutines

import io.redislock.reactor.ReactiveRedisLocks
import io.redislock.reactor.queryAndAwait
import java.io.PrintStream

/** Prints the story, chapter by chapter. */
internal class Story(private val out: PrintStream) {

    private var chapters = 0

    fun begin(where: String) = out.println("Locks in coroutines, on $where")

    fun title(title: String) = out.println("\n${++chapters}. $title")

    fun tell(line: String) = out.println("   $line")

    fun end() = out.println("\nDone.")

    /** Asks Redis who holds the key, and tells it. */
    suspend fun tellHolder(locks: ReactiveRedisLocks, key: String) =
        tell(locks.queryAndAwait(key)?.let { value -> "query: $key is held by $value" } ?: "query: $key is free")
}
