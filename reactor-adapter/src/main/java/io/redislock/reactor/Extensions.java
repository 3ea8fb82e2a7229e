package io.redislock.reactor;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;

import io.redislock.LockLoss;
import io.redislock.LockState;
import io.redislock.lease.Validity;
import io.redislock.protocol.OwnedReply;
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
     *
     * <p>A reply that comes after the timeout still counts, as long as the lease is held: what it gives was counted
     * from before the sending.
     *
     * @param patient whether the outcome may wait for such a late reply. Who would only ask again must: a second copy
     *     queues up behind the first, and a server that has to catch up would answer none of them in time.
     */
    SubscribedFirst.Step<Boolean> extend(Duration expiry, Duration timeout, boolean patient, ContextView context) {
        Extension extension = new Extension(expiry, timeout, patient, context);
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
        private final boolean patient;
        private final ContextView context;
        private final Sinks.One<Boolean> outcome = Sinks.one();
        private @Nullable Disposable call;

        Extension(Duration expiry, Duration timeout, boolean patient, ContextView context) {
            this.expiry = expiry;
            this.timeout = timeout;
            this.patient = patient;
            this.context = context;
        }

        void send() {
            if (!held.lease().isHeld()) {
                end(() -> outcome.tryEmitValue(false));
                return;
            }
            held.onExtending(expiry);
            Validity ifDone = Validity.ofCommandSentNow(held.environment().clock(), expiry);
            call = held.environment().fencing().prolong(held, expiry, timeout)
                    .contextWrite(context)
                    .subscribe(answer -> end(() -> outcome.tryEmitValue(decide(answer.reply(), ifDone))),
                            failure -> failed(failure, ifDone));
        }

        /** The call is cancelled, so that nothing more is sent for it, a script's source for instance. */
        void giveUp() {
            if (call != null) {
                call.dispose();
            }
            outcome.tryEmitValue(false);
        }

        private boolean decide(OwnedReply reply, Validity ifDone) {
            switch (reply) {
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

        private void failed(Throwable failure, Validity ifDone) {
            end(() -> {
                held.onExtensionFailed(failure);
                if (failure instanceof StoreFailure store && store.outcomeUnknown()) {
                    if (!patient) {
                        fail(failure);
                    }
                    store.lateReply().subscribe(reply ->
                            outcome.tryEmitValue(decide((OwnedReply) reply, ifDone)));
                    store.over().subscribe(null, null, () -> fail(failure)); // if there was no reply
                } else {
                    fail(failure);
                }
            });
        }

        private void fail(Throwable failure) {
            outcome.tryEmitError(failure instanceof StoreFailure
                    ? Unavailable.unavailable(held.giveBack().key(), failure) : failure);
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
