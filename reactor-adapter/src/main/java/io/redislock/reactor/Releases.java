package io.redislock.reactor;

import java.time.Duration;

import io.redislock.LockListener;
import io.redislock.protocol.OwnedReply;
import io.redislock.protocol.WireText;
import io.redislock.reactor.store.Answer;
import io.redislock.reactor.store.StoreFailure;
import reactor.core.publisher.Mono;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Releases that are not given up: repeated until Redis answers, or until the key would have expired anyway.
 *
 * <p>When a copy of the acquisition may still be under way on an old socket, the release is sent once more a little
 * later: such a copy was seen to run after the first.
 */
final class Releases {

    /** A server reads what an old socket still holds within its next turns; a paused one takes longer. */
    static final Duration ONCE_MORE_AFTER = Duration.ofMillis(500);

    private static final Logger LOG = Loggers.getLogger(Releases.class);

    private final LockEnvironment environment;
    private final LockListener listener;
    private final OpenWork openWork;

    Releases(LockEnvironment environment) {
        this.environment = environment;
        this.listener = environment.listener();
        this.openWork = environment.openWork();
    }

    LockEnvironment environment() {
        return environment;
    }

    /** Cleans up after an attempt to which there was no answer, once its command is over. */
    void afterFailedAttempt(GuardedRelease release, StoreFailure failure, ContextView context) {
        whenOver(failure, () -> inBackground(release, context));
    }

    /** Runs something when a command without an answer is over. One that may have run is waited for at close. */
    void whenOver(StoreFailure failure, Runnable then) {
        Unfinished item = new Unfinished();
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
        new InBackground(release, context) {

            @Override
            void givenUp(Throwable lastFailure) {
                LOG.warn("The lock {} could not be released and is left to its expiry: {}",
                        WireText.shown(release.key().name()), lastFailure.getMessage());
                listener.releaseFailed(release.lockName(), release.key().name());
                super.givenUp(lastFailure);
            }
        }.start();
    }

    /** A release was answered: who waits here may try, and a late copy of the acquisition may follow. */
    void answered(GuardedRelease release, ContextView context) {
        environment.queues().releaseAnswered(release.key().onTheWire());
        if (release.copyMayFollow()) {
            onceMore(release.forTheLastTime(), context);
        }
    }

    /** Nobody is told when this one fails: the release proper was answered. */
    private void onceMore(GuardedRelease release, ContextView context) {
        InBackground repeated = new InBackground(release, context);
        Mono.delay(ONCE_MORE_AFTER).subscribe(tick -> repeated.start());
    }

    /** A release that nobody waits for but a close. */
    private class InBackground extends ReleaseTries {

        private final ContextView context;
        private final Unfinished item = new Unfinished();

        InBackground(GuardedRelease release, ContextView context) {
            super(environment, release, Context.of(context));
            this.context = context;
            openWork.begin(item);
        }

        @Override
        void answered(Answer<OwnedReply> answer) {
            Releases.this.answered(release(), context);
            openWork.end(item);
        }

        @Override
        void failed(StoreFailure failure) {
            // tried again
        }

        @Override
        void givenUp(Throwable lastFailure) {
            LOG.debug("A release of {} in the background failed: {}", WireText.shown(release().key().name()),
                    lastFailure.getMessage());
            environment.queues().changed(release().key().onTheWire());
            openWork.end(item);
        }
    }

    /** Closing waits for it. */
    private static final class Unfinished implements OpenWork.Item {

        @Override
        public void endSoon() {
            // it does, as soon as Redis answers
        }
    }
}
