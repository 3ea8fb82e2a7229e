package io.redislock.lease;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When a lease is renewed: at a third of its expiry, so that two renewals may fail before it is lost, less some jitter,
 * so that leases acquired together are not renewed together. Counted from the completion of the last renewal.
 *
 * <p>After a failure it is tried again soon: at a thirtieth of the expiry, but neither more often than every 50 ms nor
 * more seldom than every second; of an expiry under 450 ms at a ninth, so that several tries still fit.
 */
public final class RenewalSchedule {

    private static final long SHARE = 3;
    private static final long RETRY_SHARE = 30;
    /** A tenth of the period at most. */
    private static final long JITTER_SHARE = 10;
    private static final Duration SHORTEST_RETRY = Duration.ofMillis(50);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(1);

    private final Duration expiry;

    /** @param expiry what each renewal asks for */
    public RenewalSchedule(Duration expiry) {
        this.expiry = expiry;
    }

    /** The time from one completed renewal to the next. */
    public Duration untilNext() {
        Duration period = expiry.dividedBy(SHARE);
        long jitter = period.toNanos() / JITTER_SHARE;
        return jitter == 0 ? period : period.minusNanos(ThreadLocalRandom.current().nextLong(jitter));
    }

    /**
     * The time from one completed renewal to the next when this much is left: earlier if the reply came so late that
     * less than a third of the expiry would be left by then.
     */
    public Duration untilNext(Duration remaining) {
        Duration spare = remaining.minus(expiry.dividedBy(SHARE));
        Duration next = untilNext();
        if (spare.compareTo(next) >= 0) {
            return next;
        }
        // Not at once: a server that answers late has enough to do.
        Duration soonest = untilRetry();
        return spare.compareTo(soonest) > 0 ? spare : soonest;
    }

    /** The time from a failed renewal to the next try; the deadline of the lease ends them. */
    public Duration untilRetry() {
        Duration share = expiry.dividedBy(RETRY_SHARE);
        if (share.compareTo(SHORTEST_RETRY) < 0) {
            // Of a very short lease still several tries fit.
            Duration ninth = expiry.dividedBy(SHARE * SHARE);
            return ninth.compareTo(SHORTEST_RETRY) < 0 ? ninth : SHORTEST_RETRY;
        }
        return share.compareTo(LONGEST_RETRY) < 0 ? share : LONGEST_RETRY;
    }

    /** How long one renewal may take: no more than a period, so that another still fits. */
    public Duration timeout(Duration commandTimeout) {
        Duration period = expiry.dividedBy(SHARE);
        return commandTimeout.compareTo(period) < 0 ? commandTimeout : period;
    }
}
