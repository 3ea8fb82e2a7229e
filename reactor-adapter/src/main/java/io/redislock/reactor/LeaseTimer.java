package io.redislock.reactor;

import java.time.Duration;

import io.redislock.LockLoss;
import io.redislock.reactor.time.Deadline;

/**
 * Ends a lease at its deadline, or when it was held for as long as it may be, without asking Redis. Armed once; when it
 * fires and the lease was extended in between, it is armed again for what is left, so extending costs no timer.
 */
final class LeaseTimer extends Deadline {

    /** Far beyond any deadline, and still countable. */
    private static final Duration FOREVER = Duration.ofDays(10_000);

    private final HeldLease held;
    private volatile boolean disarmed;

    LeaseTimer(HeldLease held) {
        this.held = held;
    }

    void arm() {
        Duration left = least(held.lease().remaining(), holdLeft());
        held.environment().deadlines().set(this, held.options().expiry(), left);
        if (disarmed) {
            unset(); // in between
        }
    }

    void disarm() {
        disarmed = true;
        unset();
    }

    @Override
    protected void due() {
        if (disarmed) {
            return;
        }
        Duration holdLeft = holdLeft();
        if (holdLeft.isNegative() || holdLeft.isZero()) {
            held.lease().lose(LockLoss.MAX_HOLD_REACHED);
        } else if (held.lease().isHeld()) {
            arm();
        }
    }

    private Duration holdLeft() {
        return held.options().maxHold().map(maxHold -> maxHold.minus(held.heldFor())).orElse(FOREVER);
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
