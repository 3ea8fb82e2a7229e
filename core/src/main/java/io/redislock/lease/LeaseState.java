package io.redislock.lease;

import io.redislock.LockLoss;
import io.redislock.LockState;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a lease at one moment, in one value.
 *
 * @param loss why it was lost; kept when it is released after that
 */
record LeaseState(LockState state, Validity validity, @Nullable LockLoss loss) {

    LeaseState with(LockState next) {
        return new LeaseState(next, validity, loss);
    }

    boolean isHeld() {
        return state == LockState.HELD || state == LockState.SUSPECT;
    }
}
