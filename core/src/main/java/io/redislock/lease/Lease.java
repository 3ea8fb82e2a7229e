package io.redislock.lease;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.redislock.LockLoss;
import io.redislock.LockState;

/**
 * The state machine of a lease: state and deadline in one immutable value behind one compare-and-set, so that whatever
 * is read of it agrees.
 *
 * <table>
 * <caption>Transitions; what is not named changes nothing</caption>
 * <tr><th>from</th><th>on</th><th>to</th></tr>
 * <tr><td>HELD</td><td>an extension got no answer</td><td>SUSPECT</td></tr>
 * <tr><td>SUSPECT</td><td>an extension succeeded</td><td>HELD, with the later deadline</td></tr>
 * <tr><td>HELD</td><td>an extension succeeded</td><td>HELD, with the later deadline</td></tr>
 * <tr><td>HELD, SUSPECT</td><td>the deadline has passed, whatever is asked or told</td><td>LOST (EXPIRED)</td></tr>
 * <tr><td>HELD, SUSPECT</td><td>a loss is told before the deadline</td><td>LOST (that loss)</td></tr>
 * <tr><td>HELD, SUSPECT, LOST</td><td>release</td><td>RELEASED, a loss is kept</td></tr>
 * </table>
 *
 * <p>Reading counts too: whoever reads after the deadline makes the lease LOST, so no reader sees it held again, even
 * if the wall clock is set back.
 */
public final class Lease {

    private final LeaseClock clock;
    private final Consumer<LockLoss> onLoss;
    private final AtomicReference<LeaseState> current;

    /**
     * @param validity until when it is held at first
     * @param onLoss told once, by the thread that makes the lease LOST, which may be a reader's
     */
    public Lease(LeaseClock clock, Validity validity, Consumer<LockLoss> onLoss) {
        this.clock = clock;
        this.onLoss = onLoss;
        this.current = new AtomicReference<>(new LeaseState(LockState.HELD, validity, null));
    }

    /** Where it stands now. */
    public LockState state() {
        return now().state();
    }

    /** Why it was lost, if it was. */
    public Optional<LockLoss> loss() {
        return Optional.ofNullable(now().loss());
    }

    /** Whether it is held now: HELD or SUSPECT, and before its deadline. */
    public boolean isHeld() {
        return now().isHeld();
    }

    /** What is left of it; zero when it is not held. */
    public Duration remaining() {
        for (;;) {
            LeaseState state = current.get();
            if (!state.isHeld()) {
                return Duration.ZERO;
            }
            // One reading of the clock: zero must mean that it is over.
            Duration left = state.validity().remaining(clock);
            if (!left.isZero()) {
                return left;
            }
            makeLost(state, LockLoss.EXPIRED);
        }
    }

    /** Whether its time is not up yet, released or not. */
    public boolean isBeforeDeadline() {
        return !current.get().validity().isOver(clock);
    }

    /** An extension got no answer. Returns whether this began a new episode of suspicion. */
    public boolean suspect() {
        for (;;) {
            LeaseState state = now();
            if (state.state() != LockState.HELD) {
                return false;
            }
            if (current.compareAndSet(state, state.with(LockState.SUSPECT))) {
                return true;
            }
        }
    }

    /**
     * An extension succeeded. Returns whether the lease is still held; a success that comes after the old deadline is
     * none, because somebody may have acted on the loss.
     *
     * @param validity what the extension gives
     */
    public boolean extended(Validity validity) {
        for (;;) {
            LeaseState state = now();
            if (!state.isHeld()) {
                return false;
            }
            LeaseState next = new LeaseState(LockState.HELD, state.validity().later(validity, clock), null);
            if (current.compareAndSet(state, next)) {
                return true;
            }
        }
    }

    /** Ends it for this reason. Returns whether it did: not if it had ended before, be it only by its deadline. */
    public boolean lose(LockLoss reason) {
        for (;;) {
            LeaseState state = now();
            if (!state.isHeld()) {
                return false;
            }
            if (makeLost(state, reason)) {
                return true;
            }
        }
    }

    /** Its holder gives it back. Returns whether this was the first time. */
    public boolean release() {
        for (;;) {
            LeaseState state = now();
            if (state.state() == LockState.RELEASED) {
                return false;
            }
            if (current.compareAndSet(state, state.with(LockState.RELEASED))) {
                return true;
            }
        }
    }

    /** The current value, after the passing of its deadline was taken into account. */
    private LeaseState now() {
        for (;;) {
            LeaseState state = current.get();
            if (!state.isHeld() || !state.validity().isOver(clock)) {
                return state;
            }
            makeLost(state, LockLoss.EXPIRED);
        }
    }

    private boolean makeLost(LeaseState state, LockLoss reason) {
        if (current.compareAndSet(state, new LeaseState(LockState.LOST, state.validity(), reason))) {
            onLoss.accept(reason);
            return true;
        }
        return false;
    }

    @Override
    public String toString() {
        return current.get().toString();
    }
}
