package io.redislock.reactor;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import io.redislock.LockLoss;
import reactor.core.publisher.Mono;

/**
 * Looks whether the key of a lease still holds our value, after somebody did something to it. One look at a time; those
 * that find nothing new come ever less often, down to the rate of renewals, whatever the server pushes.
 */
final class KeyLook {

    private static final Duration FIRST_GAP = Duration.ofMillis(50);
    /** After so many gaps without a look, the next is at once again. */
    private static final int QUIET_GAPS = 10;
    private static final int SHARE_OF_EXPIRY = 3;

    private final HeldLease held;
    private final Duration longestGap;
    private final AtomicInteger wanted = new AtomicInteger();
    private Duration gap = Duration.ZERO;
    private long lastNanos;

    KeyLook(HeldLease held) {
        this.held = held;
        this.longestGap = held.options().expiry().dividedBy(SHARE_OF_EXPIRY);
        this.lastNanos = now();
    }

    /** Something happened to the key. */
    void wanted() {
        if (wanted.getAndIncrement() == 0) {
            if (now() - lastNanos > QUIET_GAPS * gap.toNanos()) {
                gap = Duration.ZERO;
            }
            look();
        }
    }

    private void look() {
        Duration wait = gap.minusNanos(now() - lastNanos);
        if (wait.isNegative() || wait.isZero()) {
            ask();
        } else {
            Mono.delay(wait).subscribe(tick -> ask());
        }
    }

    private void ask() {
        if (!held.lease().isHeld()) {
            return; // and never again: the count stays
        }
        int seen = wanted.get();
        lastNanos = now();
        held.environment().store().query(held.giveBack().key(), held.giveBack().timeout())
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .subscribe(value -> decide(value, seen), failure -> lookAgain());
    }

    private void decide(Optional<String> value, int seen) {
        if (value.isEmpty()) {
            held.lease().lose(LockLoss.DELETED);
        } else if (!value.get().equals(held.giveBack().value())) {
            held.lease().lose(LockLoss.TAKEN_OVER);
        } else if (wanted.addAndGet(-seen) != 0) {
            lookAgain();
        } else {
            growGap();
        }
    }

    private void lookAgain() {
        growGap();
        look();
    }

    private void growGap() {
        Duration longer = gap.isZero() ? FIRST_GAP : gap.multipliedBy(2);
        gap = longer.compareTo(longestGap) < 0 ? longer : longestGap;
    }

    private long now() {
        return held.environment().clock().nanoTime();
    }
}
