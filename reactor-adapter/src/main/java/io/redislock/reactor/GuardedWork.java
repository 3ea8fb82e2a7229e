package io.redislock.reactor;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import io.redislock.LockLoss;
import io.redislock.LockLostException;
import io.redislock.protocol.WireText;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Work that does not outlive its lease, and is not called when the lease is over before it could begin. The guard
 * listens before the work is called: a listener of the work's own must not be told first, and keep it from being told.
 *
 * <pre>
 *   work  --1--2--3------|         lost  ------------      --1--2--3-----|
 *   work  --1--2-- cancelled       lost  -------EXPIRED    --1--2--------LockLostException
 *   work  --1--X                   lost  ------------      --1--X
 * </pre>
 */
final class GuardedWork {

    private GuardedWork() {
    }

    /**
     * The work on a lock, cancelled and failed when the lock is lost before the work ends, and the release after it.
     */
    static <T> Flux<T> many(RedisLock lock, Function<? super RedisLock, ? extends Publisher<? extends T>> work) {
        LeasedLock handle = (LeasedLock) lock;
        return Flux.<T>defer(() -> handle.isAcquired() ? Flux.from(called(lock, work)) : Flux.empty())
                .takeUntilOther(loss(handle))
                .concatWith(end(handle));
    }

    /** As {@link #many}; a value that comes when the lock is lost already is replaced by the loss. */
    static <T> Mono<T> one(RedisLock lock, Function<? super RedisLock, ? extends Mono<? extends T>> work) {
        LeasedLock handle = (LeasedLock) lock;
        return Mono.<T>defer(() -> handle.isAcquired() ? Mono.from(called(lock, work)) : Mono.empty())
                .takeUntilOther(loss(handle))
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(value -> GuardedWork.<T>end(handle).switchIfEmpty(Mono.justOrEmpty(value)));
    }

    private static <P> P called(RedisLock lock, Function<? super RedisLock, P> work) {
        return Objects.requireNonNull(work.apply(lock), () -> "the work under the lock " + WireText.shown(lock.key())
                + " returned null instead of a publisher");
    }

    /**
     * What follows work that did not fail. Fails when the lock was lost, also when only the release found out: the key
     * was certainly not ours any more although its time was not up, so somebody else may have worked at the same time.
     * Part of the work, as it were, because {@code usingWhen} wraps an error of a clean-up.
     */
    static <T> Mono<T> end(LeasedLock handle) {
        return Mono.defer(() -> handle.held().loss().isPresent()
                ? lost(handle) : handle.releaseOutcome().then(Mono.defer(() -> lost(handle))));
    }

    private static <T> Mono<T> lost(LeasedLock handle) {
        return handle.held().loss()
                .<Mono<T>>map(loss -> Mono.error(new LockLostException(handle.key(), loss)))
                .orElseGet(Mono::empty);
    }

    /**
     * A value at a loss, else nothing: the work may release the lock by itself and go on. An error here would fail
     * downstream without cancelling the work, a value or a completion cancels it.
     */
    private static Mono<LockLoss> loss(LeasedLock handle) {
        return handle.held().lost().switchIfEmpty(Mono.never());
    }
}
