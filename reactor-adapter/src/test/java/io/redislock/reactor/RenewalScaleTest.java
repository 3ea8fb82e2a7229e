package io.redislock.reactor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

import io.lettuce.core.KeyValue;
import io.redislock.LockListener;
import io.redislock.LockLoss;
import io.redislock.LockOptions;
import io.redislock.LockState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One process renews many leases for several times their expiry, loses none, and gives all back. Prints what that
 * cost. The design point is left out of the usual tests: {@code mvn -B -Pscale -pl reactor-adapter -am test}.
 */
@Tag("long")
class RenewalScaleTest {

    private static final int AT_ONCE = 500;
    private static final int WARM_UP = 100;
    private static final int KEYS_PER_LOOK = 1_000;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final LongAdder extended = new LongAdder();
    private final LongAdder suspected = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder.listener(new LockListener() {

        @Override
        public void extended(String name, String key) {
            extended.increment();
        }

        @Override
        public void suspect(String name, String key) {
            suspected.increment();
        }

        @Override
        public void lost(String name, String key, LockLoss reason, Duration heldFor) {
            lost.increment();
        }
    }));

    @Test
    void thousandsOfLeasesAreRenewedAndNoneIsLost() throws InterruptedException {
        renewed(5_000, Duration.ofSeconds(6), Duration.ofSeconds(12), Duration.ZERO);
    }

    @Test
    @Tag("scale")
    void hundredThousandLeasesAreRenewedForTwoMinutesAndNoneIsLost() throws InterruptedException {
        renewed(100_000, Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ZERO);
    }

    /** When the server goes on, more renewals are queued than it can answer within the timeout of one. */
    @Test
    @Tag("scale")
    void hundredThousandLeasesSurviveAPauseOfTenSeconds() throws InterruptedException {
        renewed(100_000, Duration.ofSeconds(30), Duration.ofSeconds(40), Duration.ofSeconds(10));
    }

    private void renewed(int leases, Duration expiry, Duration hold, Duration pauseBefore) throws InterruptedException {
        LockOptions options = LockOptions.defaults().expiry(expiry).autoRenew(Duration.ofMinutes(10));
        releaseAll(acquire(WARM_UP, options));
        long heapBefore = ProcessUsage.usedHeap();
        System.out.printf("%,d leases of %s%n", leases, expiry);

        ProcessUsage start = ProcessUsage.now();
        // The renewer holds handles weakly: this list is what keeps them.
        List<RedisLock> held = acquire(leases, options);
        System.out.printf("  acquired in %d ms%n", ProcessUsage.now().wallSince(start).toMillis());
        long heapAcquired = ProcessUsage.usedHeap();

        FIXTURE.resetStats();
        long extendedBefore = extended.sum();
        ProcessUsage before = ProcessUsage.now();
        if (!pauseBefore.isZero()) {
            FIXTURE.server().pause();
            Thread.sleep(pauseBefore.toMillis());
            FIXTURE.server().resume();
        }
        hold(hold);
        ProcessUsage after = ProcessUsage.now();
        long scripts = FIXTURE.scriptCalls();
        long renewals = extended.sum() - extendedBefore;
        report(before, after, scripts, renewals);

        assertThat(lost.sum()).as("told as lost").isZero();
        assertThat(held).filteredOn(lock -> !lock.isAcquired()).as("not held any more").isEmpty();
        assertThat(held).filteredOn(lock -> lock.state() != LockState.HELD).as("in another state").isEmpty();
        assertThat(notOnTheServer(held)).as("whose key does not hold their value").isZero();
        assertThat(renewals).as("renewals").isGreaterThanOrEqualTo(leases * hold.dividedBy(expiry));
        long heapRenewed = ProcessUsage.usedHeap();
        System.out.printf("  %d were suspect; the least remaining at the end is %s%n", suspected.sum(),
                held.stream().map(RedisLock::remaining).min(Duration::compareTo).orElseThrow());

        start = ProcessUsage.now();
        long released = releaseAll(held);
        System.out.printf("  released in %d ms%n", ProcessUsage.now().wallSince(start).toMillis());
        assertThat(released).as("released").isEqualTo(leases);
        assertThat(keysLeft()).as("keys left").isZero();
        assertThat(lost.sum()).as("told as lost").isZero();

        held = List.of();
        long heapReleased = ProcessUsage.usedHeap();
        Thread.sleep(expiry.dividedBy(3).toMillis()); // until the moment of each renewal that was planned has passed
        long heapLater = ProcessUsage.usedHeap();
        System.out.printf("  heap per lease, in bytes: acquired %d, renewed %d, released %d, %s later %d%n",
                (heapAcquired - heapBefore) / leases, (heapRenewed - heapBefore) / leases,
                (heapReleased - heapBefore) / leases, expiry.dividedBy(3), (heapLater - heapBefore) / leases);
    }

    private List<RedisLock> acquire(int leases, LockOptions options) {
        List<RedisLock> acquired = Flux.range(0, leases)
                .flatMap(i -> locks.acquire(FIXTURE.freshKey(), options), AT_ONCE)
                .collectList()
                .blockOptional(PATIENCE).orElseThrow();
        assertThat(acquired).hasSize(leases);
        return acquired;
    }

    private static long releaseAll(List<RedisLock> held) {
        return Flux.fromIterable(held)
                .flatMap(RedisLock::release, AT_ONCE)
                .filter(released -> released)
                .count()
                .blockOptional(PATIENCE).orElseThrow();
    }

    /** Ends early when a lease was lost. */
    private void hold(Duration hold) throws InterruptedException {
        long start = System.nanoTime();
        while (lost.sum() == 0 && System.nanoTime() - start < hold.toNanos()) {
            Thread.sleep(20);
        }
    }

    private static void report(ProcessUsage before, ProcessUsage after, long scripts, long renewals) {
        double seconds = seconds(after.wallSince(before));
        Duration cpu = after.cpuSince(before);
        Duration eventLoop = after.cpuSince(before, "lettuce");
        Duration timers = after.cpuSince(before, "parallel");
        System.out.printf("  held for %.1f s: %,d renewals, %,.0f scripts per second at the server%n", seconds,
                renewals, scripts / seconds);
        System.out.printf(
                "  CPU time %.1f s, %.0f %% of a core: event loop %.1f s, timer threads %.1f s, rest %.1f s%n",
                seconds(cpu), 100 * seconds(cpu) / seconds, seconds(eventLoop), seconds(timers),
                seconds(cpu.minus(eventLoop).minus(timers)));
        System.out.printf("  per renewal: %.1f us of CPU time, %,d bytes allocated%n",
                1e6 * seconds(cpu) / Math.max(1, renewals), after.allocatedSince(before) / Math.max(1, renewals));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static long notOnTheServer(List<RedisLock> held) {
        return IntStream.iterate(0, from -> from < held.size(), from -> from + KEYS_PER_LOOK)
                .mapToObj(from -> held.subList(from, Math.min(held.size(), from + KEYS_PER_LOOK)))
                .mapToLong(some -> some.size() - withTheirValue(some))
                .sum();
    }

    private static long withTheirValue(List<RedisLock> some) {
        List<KeyValue<String, String>> found =
                FIXTURE.redis().mget(some.stream().map(RedisLock::key).toArray(String[]::new));
        return IntStream.range(0, some.size())
                .filter(i -> some.get(i).value().equals(found.get(i).getValueOrElse(null)))
                .count();
    }

    /** The server is this test's own. */
    private static long keysLeft() {
        return FIXTURE.redis().dbsize();
    }
}
