/**
 * Five reactive pipelines that use a lock, each a class to read and to copy: {@code KeyedEvents}, {@code Reindexing},
 * {@code OncePerTick}, {@code CachedReport} and {@code CheckpointedImport}. They know nothing of each other.
 * {@code Pipelines} runs all five; the other classes only help to tell of them.
 *
 * <p>What stands between {@code // snippet: name} and {@code // end} is shown in README.md, word for word.
 */
package io.redislock.examples.pipelines;
