package io.redislock.examples.pipelines;

import java.time.Duration;
import java.util.function.IntFunction;

import io.lettuce.core.api.reactive.RedisReactiveCommands;
import io.redislock.LockOptions;
import io.redislock.reactor.ReactiveRedisLocks;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An import of many batches that takes far longer than its lease. The lease is renewed, the work stops when it is lost
 * all the same, and whoever imports next goes on where it stopped.
 *
 * <pre>
 *   process A   [1][2][3 cancelled         LockLostException
 *                     |
 *                lease lost
 *   process B               checkpoint: 2  [3][4][5]
 * </pre>
 *
 * <p>The batch that was under way comes again, and a part of it may have arrived. A write that was sent before the loss
 * cannot be called back either. So a batch must bear being written twice: by keys that overwrite, or by a checkpoint
 * that is written where the batch goes, in the same transaction, and only if it was the one before.
 */
final class CheckpointedImport {

    private static final String CHECKPOINT = "import:checkpoint";

    static final LockOptions RENEWED = LockOptions.defaults()
            .name("import")
            .expiry(Duration.ofSeconds(30)) // after so long somebody else goes on, should this process die
            .autoRenew(Duration.ofHours(6));

    private final ReactiveRedisLocks locks;
    private final LockOptions options;
    private final RedisReactiveCommands<String, String> redis;
    private final int batches;
    private final IntFunction<Mono<Void>> write;

    /** @param write writes the batch of this number, the first is 1 */
    CheckpointedImport(ReactiveRedisLocks locks, LockOptions options, RedisReactiveCommands<String, String> redis,
            int batches, IntFunction<Mono<Void>> write) {
        this.locks = locks;
        this.options = options;
        this.redis = redis;
        this.batches = batches;
        this.write = write;
    }

    /**
     * Emits the number of each batch that is done and noted. Completes after the last; empty when nothing was left to
     * do. When the lease is lost the batch under way is cancelled, none is begun any more, and it fails with
     * {@link io.redislock.LockLostException}; with {@link io.redislock.LockNotAcquiredException} when somebody else
     * imports. Cancelling stops in the same way.
     */
    Flux<Integer> run() {
        return locks.withLockMany("import", options, lock -> checkpoint()
                .flatMapMany(done -> Flux.range(done + 1, batches - done))
                .concatMap(batch -> write.apply(batch).then(note(batch)).thenReturn(batch)));
    }

    private Mono<Integer> checkpoint() {
        return redis.get(CHECKPOINT).map(Integer::valueOf).defaultIfEmpty(0);
    }

    private Mono<String> note(int batch) {
        return redis.set(CHECKPOINT, Integer.toString(batch));
    }
}
