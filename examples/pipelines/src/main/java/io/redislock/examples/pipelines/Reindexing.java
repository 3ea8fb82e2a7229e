package io.redislock.examples.pipelines;

import java.time.Duration;
import java.util.function.Function;

import io.redislock.LockLostException;
import io.redislock.LockOptions;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.reactor.RedisLock;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A search index is built anew, under a lock that is held by hand: {@code usingWhen} instead of {@code withLockMany}.
 *
 * <p>{@code usingWhen} releases on completion, error and cancellation, and that is all it does. Three things are left
 * to whoever writes it:
 * <ul>
 *   <li>A busy lock is an <em>empty</em> {@code Flux}, which looks like an index of no documents.
 *   <li>Nobody stops the work when the lock is lost. {@link #whileHeld} does.
 *   <li>Nobody looks at what the release found. When it finds the lock lost only then, the work still completes.
 * </ul>
 * {@code withLockMany} does all three. By hand is for those who need the handle for more: to extend it themselves, to
 * finish a step before they stop, or to hold two locks.
 */
final class Reindexing {

    private static final LockOptions RENEWED = LockOptions.defaults()
            .name("reindex")
            .expiry(Duration.ofSeconds(30))
            .autoRenew(Duration.ofHours(1));

    private final ReactiveRedisLocks locks;
    private final Flux<String> documents;
    private final Function<String, Mono<String>> index;

    /** @param index puts a document into the index, and emits it */
    Reindexing(ReactiveRedisLocks locks, Flux<String> documents, Function<String, Mono<String>> index) {
        this.locks = locks;
        this.documents = documents;
        this.index = index;
    }

    /** Emits what was indexed. Goes on to the end when the lock is lost, beside whoever has it then. */
    Flux<String> unwatched() {
        return Flux.usingWhen(
                locks.acquire("reindex", RENEWED),
                lock -> documents.concatMap(index),
                RedisLock::release);
    }

    /** Emits what was indexed. Stops when the lock is lost, and fails with {@link LockLostException}. */
    // snippet: by-hand
    Flux<String> watched() {
        return Flux.usingWhen(
                locks.acquire("reindex", RENEWED),
                lock -> whileHeld(lock, documents.concatMap(index)),
                RedisLock::release);
    }

    static <T> Flux<T> whileHeld(RedisLock lock, Flux<T> work) {
        Mono<T> loss = lock.lost().flatMap(reason -> Mono.error(new LockLostException(lock.key(), reason)));
        return work
                .takeUntilOther(lock.lost()) // not "loss": an error there fails, but does not cancel the work
                .concatWith(Mono.defer(() -> lock.isAcquired() ? Mono.empty() : loss));
    }
    // end
}
