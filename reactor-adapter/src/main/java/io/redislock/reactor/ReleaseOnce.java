package io.redislock.reactor;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Consumer;

import io.redislock.protocol.OwnedReply;
import io.redislock.reactor.store.Answer;
import io.redislock.reactor.store.StoreFailure;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The release of one lease: sent once, not cancellable, its outcome for everybody who asks. Who asks is kept waiting
 * for one command timeout at most; the release itself goes on.
 */
final class ReleaseOnce {

    private static final AtomicIntegerFieldUpdater<ReleaseOnce> CLAIMED =
            AtomicIntegerFieldUpdater.newUpdater(ReleaseOnce.class, "claimed");
    private static final AtomicIntegerFieldUpdater<ReleaseOnce> TOLD =
            AtomicIntegerFieldUpdater.newUpdater(ReleaseOnce.class, "told");
    private static final AtomicIntegerFieldUpdater<ReleaseOnce> WAIT_ENDS =
            AtomicIntegerFieldUpdater.newUpdater(ReleaseOnce.class, "waitEnds");

    private final Releases releases;
    private final Consumer<ReleaseOutcome> onOutcome;
    private final Runnable onEnd;
    private final Sinks.One<ReleaseOutcome> outcome = Sinks.one();
    private volatile int claimed;
    private volatile int told;
    private volatile int waitEnds;
    private volatile @Nullable StoreFailure lastFailure;

    /**
     * @param onOutcome told the outcome once, before anybody else
     * @param onEnd told once when nothing goes on in the background any more either
     */
    ReleaseOnce(Releases releases, Consumer<ReleaseOutcome> onOutcome, Runnable onEnd) {
        this.releases = releases;
        this.onOutcome = onOutcome;
        this.onEnd = onEnd;
    }

    /** Whether the caller is the one who has to start it. */
    boolean claim() {
        return CLAIMED.compareAndSet(this, 0, 1);
    }

    /** Whether there is an outcome already. */
    boolean isTold() {
        return told == 1;
    }

    void start(GuardedRelease release, ContextView context) {
        long startNanos = now();
        new ReleaseTries(releases.environment(), release, Context.of(context)) {

            @Override
            void answered(Answer<OwnedReply> answer) {
                releases.answered(release, context);
                end(ReleaseOutcome.of(answer));
            }

            /** The first try ends no later than its timeout, so no timer is needed before it has failed. */
            @Override
            void failed(StoreFailure failure) {
                lastFailure = failure;
                if (WAIT_ENDS.compareAndSet(ReleaseOnce.this, 0, 1)) {
                    endTheWait(release.timeout().minusNanos(now() - startNanos));
                }
            }

            @Override
            void givenUp(Throwable lastFailure) {
                releases.environment().queues().changed(release.key().onTheWire());
                end(ReleaseOutcome.UNANSWERED);
            }
        }.start();
    }

    private long now() {
        return releases.environment().clock().nanoTime();
    }

    /** Why the last try failed, in words; empty when none did. */
    String lastFailure() {
        StoreFailure failure = lastFailure;
        return failure == null ? "" : String.valueOf(failure.getMessage());
    }

    Mono<ReleaseOutcome> outcome() {
        return outcome.asMono();
    }

    private void endTheWait(Duration left) {
        if (left.isNegative() || left.isZero()) {
            tell(ReleaseOutcome.UNANSWERED);
        } else {
            Mono.delay(left).subscribe(tick -> tell(ReleaseOutcome.UNANSWERED));
        }
    }

    private void end(ReleaseOutcome result) {
        tell(result);
        onEnd.run();
    }

    private void tell(ReleaseOutcome result) {
        if (TOLD.compareAndSet(this, 0, 1)) {
            onOutcome.accept(result);
            outcome.tryEmitValue(result);
        }
    }
}
