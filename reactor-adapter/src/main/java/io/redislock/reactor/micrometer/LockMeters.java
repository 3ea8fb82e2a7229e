package io.redislock.reactor.micrometer;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.redislock.LockLoss;

/** All meters of the locks of one name. Looked up once, so that an event costs no more than its counting. */
final class LockMeters {

    private static final String LOCK = "lock";
    private static final String OUTCOME = "outcome";

    private final LockLevel level;
    private final Timer acquired;
    private final Timer notAcquired;
    private final Timer unavailable;
    private final Timer abandoned;
    private final Timer released;
    private final Timer lost;
    private final Counter extended;
    private final Counter suspect;
    private final Map<LockLoss, Counter> losses = new EnumMap<>(LockLoss.class);
    private final Counter releaseFailures;

    LockMeters(MeterRegistry registry, String lock) {
        level = LockLevel.of(registry, lock);
        acquired = acquire(registry, lock, "acquired");
        notAcquired = acquire(registry, lock, "not_acquired");
        unavailable = acquire(registry, lock, "unavailable");
        abandoned = acquire(registry, lock, "abandoned");
        released = hold(registry, lock, "released");
        lost = hold(registry, lock, "lost");
        extended = renewals(registry, lock, "extended");
        suspect = renewals(registry, lock, "suspect");
        for (LockLoss reason : LockLoss.values()) {
            losses.put(reason, Counter.builder("redislock.losses")
                    .description("Leases that were lost while they were held, by why")
                    .tag(LOCK, lock).tag("reason", reason.name().toLowerCase(Locale.ROOT))
                    .register(registry));
        }
        releaseFailures = Counter.builder("redislock.release.failures")
                .description("Releases that Redis did not confirm in time")
                .tag(LOCK, lock)
                .register(registry);
        Gauge.builder("redislock.held", level, LockLevel::held)
                .description("Locks that are held now")
                .tag(LOCK, lock)
                .register(registry);
        Gauge.builder("redislock.waiting", level, LockLevel::waiting)
                .description("Calls that wait for a busy lock now")
                .tag(LOCK, lock)
                .register(registry);
    }

    private static Timer acquire(MeterRegistry registry, String lock, String outcome) {
        return Timer.builder("redislock.acquire")
                .description("From the subscription to the outcome of an acquisition")
                .tag(LOCK, lock).tag(OUTCOME, outcome)
                .register(registry);
    }

    private static Timer hold(MeterRegistry registry, String lock, String outcome) {
        return Timer.builder("redislock.hold")
                .description("From the acquisition of a lock to its end")
                .tag(LOCK, lock).tag(OUTCOME, outcome)
                .register(registry);
    }

    private static Counter renewals(MeterRegistry registry, String lock, String outcome) {
        return Counter.builder("redislock.renewals")
                .description("Extensions of leases, by renewal or by hand")
                .tag(LOCK, lock).tag(OUTCOME, outcome)
                .register(registry);
    }

    void acquired(Duration waited) {
        level.heldOneMore();
        acquired.record(waited);
    }

    void notAcquired(Duration waited) {
        notAcquired.record(waited);
    }

    void unavailable(Duration waited) {
        unavailable.record(waited);
    }

    void abandoned(Duration waited) {
        abandoned.record(waited);
    }

    void waiting() {
        level.waitingOneMore();
    }

    void waitEnded() {
        level.waitingOneLess();
    }

    void released(Duration heldFor) {
        level.heldOneLess();
        released.record(heldFor);
    }

    void lost(LockLoss reason, Duration heldFor) {
        level.heldOneLess();
        lost.record(heldFor);
        losses.get(reason).increment();
    }

    void extended() {
        extended.increment();
    }

    void suspect() {
        suspect.increment();
    }

    void releaseFailed() {
        releaseFailures.increment();
    }
}
