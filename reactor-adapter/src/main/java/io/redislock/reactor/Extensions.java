package io.redislock.reactor;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;

import io.redislock.LockLoss;
import io.redislock.LockState;
import io.redislock.lease.Validity;
import io.redislock.protocol.OwnedReply;
import io.redislock.reactor.store.Answer;
import io.redislock.reactor.store.StoreFailure;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Sinks;
import reactor.util.concurrent.Queues;
import reactor.util.context.ContextView;

/**
 * The extensions of one lease, by hand and by renewal: one in flight, the next when it was answered, and none after the
 * release. Every step is taken in one place at a time, whichever thread brings it, so what is sent has an order:
 *
 * <pre>
 *   extend   -- sent -------- answered, next
 *   extend      waits ------- sent -----------
 *   release                             . the one in flight is given up, those that wait are false, release sent
 * </pre>
 */
final class Extensions {

    private final HeldLease held;
    private final Queue<Extension> waiting = Queues.<Extension>unboundedMultiproducer().get();
    private final AtomicInteger steps = new AtomicInteger();
    private volatile @Nullable Extension inFlight;
    private volatile @Nullable Runnable thenRelease;

    Extensions(HeldLease held) {
        this.held = held;
    }

    /**
     * An extension, asked for when the step is started. Its outcome is whether the lease is still ours, or a
     * {@link io.redislock.LockUnavailableException}.
     */
    SubscribedFirst.Step<Boolean> extend(Duration expiry, Duration timeout, ContextView context) {
        Extension extension = new Extension(expiry, timeout, context);
        return new SubscribedFirst.Step<>(extension.outcome.asMono(), () -> {
            waiting.add(extension);
            step();
        });
    }

    /** Ends all extensions, and runs this after the last one was sent. */
    void stop(Runnable release) {
        thenRelease = release;
        step();
    }

    private void step() {
        if (steps.getAndIncrement() != 0) {
            return;
        }
        int done = 1;
        do {
            try {
                next();
            } catch (Throwable thrown) {
                // Fatal, from a subscriber who was told at once. Those who wait are not to wait for ever.
                steps.set(0);
                if (thenRelease != null || !waiting.isEmpty()) {
                    step();
                }
                throw thrown;
            }
            done = steps.addAndGet(-done);
        } while (done != 0);
    }

    private void next() {
        Runnable release = thenRelease;
        if (release != null) {
            giveUpAll();
            thenRelease = null;
            release.run();
        } else if (inFlight == null) {
            Extension next = waiting.poll();
            if (next != null) {
                inFlight = next;
                next.send();
            }
        }
    }

    private void giveUpAll() {
        Extension current = inFlight;
        if (current != null) {
            current.giveUp();
            inFlight = null; // whoever still asks finds the lease released
        }
        for (Extension next = waiting.poll(); next != null; next = waiting.poll()) {
            next.outcome.tryEmitValue(false);
        }
    }

    private final class Extension {

        private final Duration expiry;
        private final Duration timeout;
        private final ContextView context;
        private final Sinks.One<Boolean> outcome = Sinks.one();
        private @Nullable Disposable call;

        Extension(Duration expiry, Duration timeout, ContextView context) {
            this.expiry = expiry;
            this.timeout = timeout;
            this.context = context;
        }

        void send() {
            if (!held.lease().isHeld()) {
                end(() -> outcome.tryEmitValue(false));
                return;
            }
            GuardedRelease ours = held.giveBack();
            held.onExtending(expiry);
            Validity ifDone = Validity.ofCommandSentNow(held.environment().clock(), expiry);
            call = held.environment().store().prolong(ours.key(), ours.value(), expiry, timeout)
                    .contextWrite(context)
                    .subscribe(answer -> end(() -> outcome.tryEmitValue(decide(answer, ifDone))), this::failed);
        }

        /** The call is cancelled, so that nothing more is sent for it, a script's source for instance. */
        void giveUp() {
            if (call != null) {
                call.dispose();
            }
            outcome.tryEmitValue(false);
        }

        private boolean decide(Answer<OwnedReply> answer, Validity ifDone) {
            switch (answer.reply()) {
                case DONE -> {
                    if (held.lease().extended(ifDone)) {
                        held.onExtended();
                        return true;
                    }
                    if (held.lease().state() == LockState.LOST) {
                        held.releaseProlonged(expiry, context);
                    }
                    return false;
                }
                case ABSENT -> held.lease().lose(LockLoss.DELETED);
                case OTHER -> held.lease().lose(LockLoss.TAKEN_OVER);
            }
            return false;
        }

        private void failed(Throwable failure) {
            end(() -> {
                held.onExtensionFailed(failure);
                outcome.tryEmitError(failure instanceof StoreFailure
                        ? Unavailable.unavailable(held.giveBack().key(), failure) : failure);
            });
        }

        private void end(Runnable tell) {
            try {
                tell.run();
            } finally {
                if (inFlight == this) {
                    inFlight = null;
                }
                step();
            }
        }
    }
}
