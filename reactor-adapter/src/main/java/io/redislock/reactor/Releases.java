package io.redislock.reactor;

import java.time.Duration;
import java.util.function.Consumer;

import io.redislock.LockListener;
import io.redislock.lease.LeaseClock;
import io.redislock.protocol.OwnedReply;
import io.redislock.protocol.WireText;
import io.redislock.reactor.store.Answer;
import io.redislock.reactor.store.LockStore;
import io.redislock.reactor.store.StoreFailure;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.ContextView;
import reactor.util.retry.Retry;

/**
 * Releases that are not given up: repeated until Redis answers, or until the key would have expired anyway.
 *
 * <p>When a copy of the acquisition may still be under way on an old socket, the release is sent once more a little
 * later: such a copy was seen to run after the first.
 */
final class Releases {

    /** A server reads what an old socket still holds within its next turns; a paused one takes longer. */
    static final Duration ONCE_MORE_AFTER = Duration.ofMillis(500);

    private static final Duration FIRST_DELAY = Duration.ofMillis(50);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(1);

    private static final Logger LOG = Loggers.getLogger(Releases.class);

    private final LockStore store;
    private final LeaseClock clock;
    private final LockListener listener;
    private final OpenWork openWork;
    private final WaitQueues queues;

    Releases(LockEnvironment environment) {
        this.store = environment.store();
        this.clock = environment.clock();
        this.listener = environment.listener();
        this.openWork = environment.openWork();
        this.queues = environment.queues();
    }

    LeaseClock clock() {
        return clock;
    }

    /** Cleans up after an attempt to which there was no answer, once its command is over. */
    void afterFailedAttempt(GuardedRelease release, StoreFailure failure, ContextView context) {
        whenOver(failure, () -> inBackground(release, context));
    }

    /** Runs something when a command without an answer is over. One that may have run is waited for at close. */
    void whenOver(StoreFailure failure, Runnable then) {
        InBackground item = new InBackground();
        if (failure.outcomeUnknown()) {
            openWork.begin(item);
        }
        failure.over().subscribe(null, null, () -> {
            then.run();
            openWork.end(item);
        });
    }

    /** Releases without anybody waiting for it. */
    void inBackground(GuardedRelease release, ContextView context) {
        InBackground item = new InBackground();
        openWork.begin(item);
        untilAnswered(release, failure -> { })
                .doOnTerminate(() -> openWork.end(item))
                .contextWrite(context)
                .subscribe(answer -> { }, failure -> {
                    LOG.warn("The lock {} could not be released and is left to its expiry: {}",
                            WireText.shown(release.key().name()), failure.getMessage());
                    listener.releaseFailed(release.lockName(), release.key().name());
                });
    }

    /** Closing waits for it. */
    private static final class InBackground implements OpenWork.Item {

        @Override
        public void endSoon() {
            // it does, as soon as Redis answers
        }
    }

    /**
     * Emits the answer once there is one; {@link Answer#resent()} also when an earlier try may have run. Fails with the
     * last {@link StoreFailure} when there was none until the key would have expired. Must not be cancelled.
     *
     * @param onFailure told each failed try
     */
    Mono<Answer<OwnedReply>> untilAnswered(GuardedRelease release, Consumer<StoreFailure> onFailure) {
        return Mono.deferContextual(context -> {
            Tries tries = new Tries(release, onFailure, context);
            // Mostly the first is answered, and nothing more is paid for.
            return store.release(release.key(), release.value(), release.timeout())
                    .doOnNext(tries::answered)
                    .onErrorResume(StoreFailure.class, tries::afterFirst);
        });
    }

    private final class Tries {

        private final GuardedRelease release;
        private final Consumer<StoreFailure> onFailure;
        private final ContextView context;
        private final long giveUpAt;
        private boolean begun;
        private boolean earlierMayHaveRun;

        Tries(GuardedRelease release, Consumer<StoreFailure> onFailure, ContextView context) {
            this.release = release;
            this.onFailure = onFailure;
            this.context = context;
            this.giveUpAt = clock.nanoTime() + release.keyLife().toNanos();
        }

        Mono<Answer<OwnedReply>> afterFirst(StoreFailure first) {
            return Mono.defer(() -> {
                        if (begun) {
                            return store.release(release.key(), release.value(), release.timeout());
                        }
                        begun = true;
                        return Mono.error(first);
                    })
                    .doOnError(StoreFailure.class, failure -> {
                        earlierMayHaveRun |= failure.outcomeUnknown();
                        onFailure.accept(failure);
                    })
                    .retryWhen(Retry.backoff(Long.MAX_VALUE, FIRST_DELAY)
                            .maxBackoff(LONGEST_DELAY)
                            .filter(failure -> failure instanceof StoreFailure && !openWork.isOver()
                                    && clock.nanoTime() - giveUpAt < 0))
                    .map(answer -> new Answer<>(answer.reply(), answer.resent() || earlierMayHaveRun))
                    .doOnNext(this::answered);
        }

        void answered(Answer<OwnedReply> answer) {
            queues.releaseAnswered(release.key().onTheWire());
            if (release.copyMayFollow()) {
                onceMore(release.forTheLastTime(), context);
            }
        }
    }

    /** Nobody is told when this one fails: the release proper was answered. */
    private void onceMore(GuardedRelease release, ContextView context) {
        InBackground item = new InBackground();
        openWork.begin(item);
        Mono.delay(ONCE_MORE_AFTER)
                .then(untilAnswered(release, failure -> { }))
                .doOnTerminate(() -> openWork.end(item))
                .contextWrite(context)
                .subscribe(answer -> { }, failure -> LOG.debug("The repeated release of {} failed: {}",
                        WireText.shown(release.key().name()), failure.getMessage()));
    }
}
