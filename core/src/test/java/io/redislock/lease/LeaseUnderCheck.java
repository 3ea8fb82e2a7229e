package io.redislock.lease;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.redislock.LockLoss;
import io.redislock.LockState;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Param;
import org.jetbrains.kotlinx.lincheck.annotations.Validate;
import org.jetbrains.kotlinx.lincheck.paramgen.IntGen;
import org.jspecify.annotations.Nullable;

/**
 * What Lincheck does to a {@link Lease}; {@link LeaseModel} does the same one after the other. Time is one atomic
 * number of steps, and a deadline is named by the step from which it is over:
 *
 * <pre>
 *   step       0         1         2         3 and more
 *   reading    0     2 * 100   2 * 100^2   2 * 100^3   seconds
 *   deadline        100 |    100^2 |     100^3 |       seconds, less the drift
 * </pre>
 *
 * <p>A comparison of two deadlines reads the clock twice, and a step may fall in between. So each step is wider than
 * all before it together: whichever deadline then looks later is the later one, or both are over. The wall clock stands
 * still.
 *
 * <p>Left out are {@code remaining} and {@code isBeforeDeadline}. They read the clock for a state that another may have
 * followed by then: they say what was true when they began, or less.
 */
@Param(name = "until", gen = IntGen.class, conf = "1:3")
public class LeaseUnderCheck {

    static final int FIRST_DEADLINE = 1;
    private static final int LAST_STEP = 3;

    private final AtomicInteger step = new AtomicInteger();
    private final AtomicInteger told = new AtomicInteger();
    private volatile @Nullable LockLoss reasonTold;
    private final Lease lease = new Lease(new StepClock(), validityUntil(FIRST_DEADLINE), this::onLoss);

    @Operation
    public void pass() {
        step.incrementAndGet();
    }

    @Operation
    public LockState state() {
        return lease.state();
    }

    @Operation
    public @Nullable LockLoss loss() {
        return lease.loss().orElse(null);
    }

    @Operation
    public boolean isHeld() {
        return lease.isHeld();
    }

    @Operation
    public boolean suspect() {
        return lease.suspect();
    }

    @Operation
    public boolean extended(@Param(name = "until") int until) {
        return lease.extended(validityUntil(until));
    }

    @Operation
    public boolean lose(@Param(conf = "DELETED,CLOSED") LockLoss reason) {
        return lease.lose(reason);
    }

    @Operation
    public boolean release() {
        return lease.release();
    }

    /** At the end, because a loss is told a moment after it can be seen. */
    @Validate
    public void everyLossWasToldOnce() {
        LockLoss loss = lease.loss().orElse(null);
        if (told.get() != (loss == null ? 0 : 1) || reasonTold != loss) {
            throw new AssertionError("Lost as " + loss + ", told " + told + " times, at last as " + reasonTold);
        }
    }

    private void onLoss(LockLoss reason) {
        reasonTold = reason;
        told.incrementAndGet();
    }

    private static Validity validityUntil(int deadline) {
        return Validity.ofCommandSentNow(new ManualClock(0, Duration.ZERO), Duration.ofSeconds(seconds(deadline)));
    }

    private static long seconds(int step) {
        return (long) Math.pow(100, step);
    }

    /** No record: Lincheck looks at the fields of what it is given, and fails at those of a record. */
    private final class StepClock implements LeaseClock {

        @Override
        public long nanoTime() {
            int now = Math.min(step.get(), LAST_STEP);
            return now == 0 ? 0 : 2 * seconds(now) * 1_000_000_000;
        }

        @Override
        public long wallMillis() {
            return 0;
        }
    }
}
