package io.redislock.reactor;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redislock.LockListener;
import io.redislock.LockLoss;
import io.redislock.reactor.micrometer.MicrometerLockListener;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** A listener that keeps meters, and what the meters of the locks of one name show. Zero before their first event. */
final class MeterReadings {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LockListener listener = new MicrometerLockListener(registry);
    private final String name;

    MeterReadings(String name) {
        this.name = name;
    }

    LockListener listener() {
        return listener;
    }

    boolean areNone() {
        return registry.getMeters().isEmpty();
    }

    /** How many locks are held now. */
    double held() {
        return gauge("redislock.held");
    }

    /** How many wait now. */
    double waiting() {
        return gauge("redislock.waiting");
    }

    /** How many acquisitions had this outcome. */
    long acquire(String outcome) {
        return count(timer("redislock.acquire", outcome));
    }

    /** How long these took together. */
    Duration acquireTime(String outcome) {
        return totalTime(timer("redislock.acquire", outcome));
    }

    /** How many locks had this end. */
    long hold(String outcome) {
        return count(timer("redislock.hold", outcome));
    }

    /** How long these were held together. */
    Duration holdTime(String outcome) {
        return totalTime(timer("redislock.hold", outcome));
    }

    double renewals(String outcome) {
        return count(registry.find("redislock.renewals").tags("lock", name, "outcome", outcome).counter());
    }

    double losses(LockLoss reason) {
        return count(registry.find("redislock.losses")
                .tags("lock", name, "reason", reason.name().toLowerCase(Locale.ROOT)).counter());
    }

    double releaseFailures() {
        return count(registry.find("redislock.release.failures").tag("lock", name).counter());
    }

    /** For the end of a test. */
    void assertEverythingHasEnded() {
        Await.until("each lock that was acquired has ended",
                () -> acquire("acquired") == hold("released") + hold("lost"));
        Await.until("each wait has ended", () -> waiting() == 0);
        assertThat(held()).as("held").isZero();
        double losses = 0;
        for (LockLoss reason : LockLoss.values()) {
            losses += losses(reason);
        }
        assertThat(losses).as("losses").isEqualTo(hold("lost"));
    }

    private double gauge(String meter) {
        Gauge gauge = registry.find(meter).tag("lock", name).gauge();
        return gauge == null ? 0 : gauge.value();
    }

    private @Nullable Timer timer(String meter, String outcome) {
        return registry.find(meter).tags("lock", name, "outcome", outcome).timer();
    }

    private static long count(@Nullable Timer timer) {
        return timer == null ? 0 : timer.count();
    }

    private static Duration totalTime(@Nullable Timer timer) {
        return timer == null ? Duration.ZERO : Duration.ofNanos((long) timer.totalTime(TimeUnit.NANOSECONDS));
    }

    private static double count(@Nullable Counter counter) {
        return counter == null ? 0 : counter.count();
    }
}
