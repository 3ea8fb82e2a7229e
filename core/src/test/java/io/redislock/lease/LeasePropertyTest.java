package io.redislock.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.redislock.LockLoss;
import io.redislock.LockState;
import io.redislock.RandomRounds;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever happens to a lease in whatever order, what is read of it agrees. */
class LeasePropertyTest {

    private static final LockLoss[] REASONS = LockLoss.values();

    @Test
    void readingsAgreeAndNothingComesBack() {
        RandomRounds.rounds(5_000, random -> {
            ManualClock clock = new ManualClock(random.nextLong(), Duration.ofMillis(random.nextInt()));
            List<LockLoss> told = new ArrayList<>();
            Lease lease = new Lease(clock, someValidity(random, clock), told::add);
            LockState before = lease.state();
            for (int i = 0; i < 20; i++) {
                Duration left = lease.remaining();
                something(random, lease, clock);

                LockState state = lease.state();
                boolean held = state == LockState.HELD || state == LockState.SUSPECT;
                assertThat(lease.isHeld()).isEqualTo(held);
                assertThat(lease.remaining().isZero()).isEqualTo(!held);
                assertThat(lease.loss().stream().toList()).isEqualTo(told);
                assertThat(told).hasSizeBetween(state == LockState.LOST ? 1 : 0, held ? 0 : 1);
                assertThat(rank(state)).as("%s after %s", state, before).isGreaterThanOrEqualTo(rank(before));
                assertThat(held && left.isZero()).as("held again").isFalse();
                before = state;
            }
        });
    }

    private static void something(Random random, Lease lease, ManualClock clock) {
        switch (random.nextInt(8)) {
            case 0 -> lease.suspect();
            case 1, 2 -> lease.extended(someValidity(random, clock));
            case 3 -> clock.moveWall(Duration.ofMillis(random.nextInt(2_000) - 1_000));
            case 4 -> {
                if (random.nextInt(4) == 0) {
                    lease.lose(REASONS[random.nextInt(REASONS.length)]);
                }
            }
            case 5 -> {
                if (random.nextInt(4) == 0) {
                    lease.release();
                }
            }
            default -> clock.passNanos(random.nextInt(400_000_000));
        }
    }

    private static Validity someValidity(Random random, ManualClock clock) {
        return Validity.ofCommandSentNow(clock, Duration.ofMillis(3 + random.nextInt(2_000)));
    }

    /** HELD and SUSPECT change places, the rest goes one way. */
    private static int rank(LockState state) {
        return Math.max(1, state.ordinal());
    }
}
