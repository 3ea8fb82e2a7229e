package io.redislock.lease;

import io.redislock.LockLoss;
import io.redislock.LockState;
import org.jspecify.annotations.Nullable;

/** What {@link Lease} does when one thing happens at a time: the table of its javadoc, on a clock of steps. */
public final class LeaseModel {

    private LockState state = LockState.HELD;
    private int deadline = LeaseUnderCheck.FIRST_DEADLINE;
    private @Nullable LockLoss loss;
    private int now;

    public void pass() {
        now++;
    }

    public LockState state() {
        expire();
        return state;
    }

    public @Nullable LockLoss loss() {
        expire();
        return loss;
    }

    public boolean isHeld() {
        expire();
        return isOpen();
    }

    public boolean suspect() {
        expire();
        if (state != LockState.HELD) {
            return false;
        }
        state = LockState.SUSPECT;
        return true;
    }

    public boolean extended(int until) {
        expire();
        if (!isOpen()) {
            return false;
        }
        state = LockState.HELD;
        deadline = Math.max(deadline, until);
        return true;
    }

    public boolean lose(LockLoss reason) {
        expire();
        if (!isOpen()) {
            return false;
        }
        state = LockState.LOST;
        loss = reason;
        return true;
    }

    public boolean release() {
        expire();
        if (state == LockState.RELEASED) {
            return false;
        }
        state = LockState.RELEASED;
        return true;
    }

    private void expire() {
        if (isOpen() && now >= deadline) {
            state = LockState.LOST;
            loss = LockLoss.EXPIRED;
        }
    }

    private boolean isOpen() {
        return state == LockState.HELD || state == LockState.SUSPECT;
    }
}
