package io.redislock.reactor;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import io.redislock.protocol.OwnedReply;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.ContextView;

/**
 * The release of one handle: sent once, not cancellable, its outcome for everybody who asks. Who asks is kept waiting
 * for one command timeout at most; the release itself goes on.
 */
final class ReleaseOnce {

    private final Releases releases;
    private final GuardedRelease release;
    private final Sinks.One<Boolean> outcome = Sinks.one();

    ReleaseOnce(Releases releases, GuardedRelease release) {
        this.releases = releases;
        this.release = release;
    }

    void start(ContextView context) {
        long startNanos = releases.clock().nanoTime();
        AtomicBoolean failedBefore = new AtomicBoolean();
        releases.untilAnswered(release, failure -> {
                    // The first try ends no later than its timeout, so no timer is needed before it has failed.
                    if (failedBefore.compareAndSet(false, true)) {
                        endTheWait(release.timeout().minusNanos(releases.clock().nanoTime() - startNanos));
                    }
                })
                .contextWrite(context)
                .subscribe(answer -> outcome.tryEmitValue(answer.reply() == OwnedReply.DONE),
                        failure -> {
                            outcome.tryEmitValue(false);
                            releases.logGivenUp(release, failure);
                        });
    }

    Mono<Boolean> outcome() {
        return outcome.asMono();
    }

    private void endTheWait(Duration left) {
        if (left.isNegative() || left.isZero()) {
            outcome.tryEmitValue(false);
        } else {
            Mono.delay(left).subscribe(tick -> outcome.tryEmitValue(false));
        }
    }
}
