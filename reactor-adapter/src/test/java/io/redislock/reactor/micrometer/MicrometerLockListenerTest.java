package io.redislock.reactor.micrometer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redislock.LockLoss;
import io.redislock.LockUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/** Which event goes into which meter. */
class MicrometerLockListenerTest {

    private static final String NAME = "orders";
    private static final String KEY = "order:123";
    private static final Duration WAITED = Duration.ofMillis(7);
    private static final Duration HELD_FOR = Duration.ofSeconds(3);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerLockListener listener = new MicrometerLockListener(registry);

    @Test
    void registryIsRequired() {
        assertThatNullPointerException().isThrownBy(() -> new MicrometerLockListener(null)).withMessage("registry");
    }

    @Test
    void nothingIsRegisteredBeforeTheFirstEvent() {
        assertThat(registry.getMeters()).isEmpty();
    }

    /** Else a counter would first be seen with the value 1, which shows no increase. */
    @Test
    void allMetersOfANameAreThereFromItsFirstEventOn() {
        listener.busyAttempt(NAME, KEY, 1);
        assertThat(registry.getMeters()).as("no meter counts this").isEmpty();

        listener.waiting(NAME, KEY);

        assertThat(tagsByName()).isEqualTo(Map.of(
                "redislock.acquire", List.of("lock=orders,outcome=abandoned", "lock=orders,outcome=acquired",
                        "lock=orders,outcome=not_acquired", "lock=orders,outcome=unavailable"),
                "redislock.hold", List.of("lock=orders,outcome=lost", "lock=orders,outcome=released"),
                "redislock.held", List.of("lock=orders"),
                "redislock.waiting", List.of("lock=orders"),
                "redislock.renewals", List.of("lock=orders,outcome=extended", "lock=orders,outcome=suspect"),
                "redislock.losses", List.of("lock=orders,reason=closed", "lock=orders,reason=deleted",
                        "lock=orders,reason=expired", "lock=orders,reason=max_hold_reached",
                        "lock=orders,reason=taken_over"),
                "redislock.release.failures", List.of("lock=orders")));
    }

    @Test
    void keyIsInNoMeter() {
        listener.acquired(NAME, KEY, WAITED, 1);

        assertThat(registry.getMeters()).extracting(meter -> meter.getId().toString())
                .isNotEmpty().noneMatch(id -> id.contains(KEY));
        assertThat(registry.getMeters()).extracting(meter -> meter.getId().getDescription()).doesNotContainNull();
    }

    @Test
    void anotherKeyOfTheSameNameAddsNoMeter() {
        listener.acquired(NAME, KEY, WAITED, 1);
        int meters = registry.getMeters().size();

        listener.acquired(NAME, "another", WAITED, 1);
        listener.lost(NAME, "another", LockLoss.EXPIRED, HELD_FOR);

        assertThat(registry.getMeters()).hasSize(meters);
        listener.acquired("another name", KEY, WAITED, 1);
        assertThat(registry.getMeters()).hasSize(2 * meters);
    }

    @Test
    void acquisitionIsTimedByItsOutcome() {
        listener.acquired(NAME, KEY, Duration.ofMillis(1), 1);
        listener.notAcquired(NAME, KEY, Duration.ofMillis(2), 4);
        listener.unavailable(NAME, KEY, Duration.ofMillis(3), new LockUnavailableException(KEY, "down", null, false));
        listener.abandoned(NAME, KEY, Duration.ofMillis(4));

        assertTimed(acquire("acquired"), Duration.ofMillis(1));
        assertTimed(acquire("not_acquired"), Duration.ofMillis(2));
        assertTimed(acquire("unavailable"), Duration.ofMillis(3));
        assertTimed(acquire("abandoned"), Duration.ofMillis(4));
    }

    @Test
    void lockIsHeldUntilItIsReleased() {
        listener.acquired(NAME, KEY, WAITED, 1);
        listener.acquired(NAME, "another", WAITED, 1);
        assertThat(gauge("redislock.held")).isEqualTo(2);

        listener.released(NAME, KEY, HELD_FOR);

        assertThat(gauge("redislock.held")).isEqualTo(1);
        assertTimed(hold("released"), HELD_FOR);
        assertThat(hold("lost").count()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void lockIsHeldUntilItIsLost(LockLoss reason) {
        listener.acquired(NAME, KEY, WAITED, 1);

        listener.lost(NAME, KEY, reason, HELD_FOR);

        assertThat(gauge("redislock.held")).isZero();
        assertTimed(hold("lost"), HELD_FOR);
        for (LockLoss each : LockLoss.values()) {
            assertThat(losses(each)).as("%s", each).isEqualTo(each == reason ? 1 : 0);
        }
    }

    /** A release that is told as failed is told as released or lost too. */
    @Test
    void failedReleaseEndsNoHold() {
        listener.acquired(NAME, KEY, WAITED, 1);

        listener.releaseFailed(NAME, KEY);

        assertThat(registry.get("redislock.release.failures").tag("lock", NAME).counter().count()).isEqualTo(1);
        assertThat(gauge("redislock.held")).isEqualTo(1);
    }

    @Test
    void waitingIsCountedUntilItEnds() {
        listener.waiting(NAME, KEY);
        listener.waiting(NAME, KEY);
        assertThat(gauge("redislock.waiting")).isEqualTo(2);

        listener.waitEnded(NAME, KEY);
        listener.waitEnded(NAME, KEY);

        assertThat(gauge("redislock.waiting")).isZero();
    }

    @Test
    void extensionsAreCountedByTheirOutcome() {
        listener.extended(NAME, KEY);
        listener.extended(NAME, KEY);
        listener.suspect(NAME, KEY);

        assertThat(renewals("extended")).isEqualTo(2);
        assertThat(renewals("suspect")).isEqualTo(1);
    }

    @Test
    void gaugesAreNotNegativeWhenAnEndIsToldBeforeItsBeginning() {
        listener.lost(NAME, KEY, LockLoss.EXPIRED, HELD_FOR);
        listener.waitEnded(NAME, KEY);
        assertThat(gauge("redislock.held")).isZero();
        assertThat(gauge("redislock.waiting")).isZero();

        listener.acquired(NAME, KEY, WAITED, 1);
        listener.waiting(NAME, KEY);

        assertThat(gauge("redislock.held")).isZero();
        assertThat(gauge("redislock.waiting")).isZero();
    }

    @Test
    void listenersOfOneRegistryAreAddedUp() {
        MicrometerLockListener another = new MicrometerLockListener(registry);
        listener.acquired(NAME, KEY, WAITED, 1);
        another.acquired(NAME, KEY, WAITED, 1);
        another.waiting(NAME, KEY);

        assertThat(gauge("redislock.held")).isEqualTo(2);
        assertThat(gauge("redislock.waiting")).isEqualTo(1);
        assertThat(acquire("acquired").count()).isEqualTo(2);
    }

    @Test
    void listenersOfTwoRegistriesAreApart() {
        SimpleMeterRegistry anotherRegistry = new SimpleMeterRegistry();
        new MicrometerLockListener(anotherRegistry).acquired(NAME, KEY, WAITED, 1);
        listener.waiting(NAME, KEY);

        assertThat(gauge("redislock.held")).isZero();
        assertThat(anotherRegistry.get("redislock.held").gauge().value()).isEqualTo(1);
        assertThat(anotherRegistry.get("redislock.waiting").gauge().value()).isZero();
    }

    @Test
    void gaugesOutliveTheListener() {
        new MicrometerLockListener(registry).acquired(NAME, KEY, WAITED, 1);

        System.gc();

        assertThat(gauge("redislock.held")).isEqualTo(1);
    }

    @Test
    void nothingIsMiscountedWhenManyThreadsTellOfNewNames() throws Exception {
        int threads = 4;
        int rounds = 1_000;
        CountDownLatch together = new CountDownLatch(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> running = IntStream.range(0, threads).<Future<?>>mapToObj(thread -> pool.submit(() -> {
                together.countDown();
                together.await();
                for (int i = 0; i < rounds; i++) {
                    String name = NAME + i % 10;
                    listener.waiting(name, KEY);
                    listener.acquired(name, KEY, WAITED, 1);
                    listener.waitEnded(name, KEY);
                    listener.extended(name, KEY);
                    listener.released(name, KEY, HELD_FOR);
                }
                return null;
            })).toList();
            for (Future<?> run : running) {
                run.get(30, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }

        assertThat(registry.find("redislock.acquire").tag("outcome", "acquired").timers())
                .hasSize(10).extracting(Timer::count).containsOnly((long) threads * rounds / 10);
        assertThat(Stream.concat(registry.find("redislock.held").gauges().stream(),
                registry.find("redislock.waiting").gauges().stream()))
                .hasSize(20).allSatisfy(gauge -> assertThat(gauge.value()).isZero());
    }

    private static void assertTimed(Timer timer, Duration once) {
        assertThat(timer.count()).as("%s", timer.getId()).isEqualTo(1);
        assertThat(timer.totalTime(TimeUnit.NANOSECONDS)).as("%s", timer.getId()).isEqualTo(once.toNanos());
    }

    private Timer acquire(String outcome) {
        return registry.get("redislock.acquire").tags("lock", NAME, "outcome", outcome).timer();
    }

    private Timer hold(String outcome) {
        return registry.get("redislock.hold").tags("lock", NAME, "outcome", outcome).timer();
    }

    private double gauge(String meter) {
        return registry.get(meter).tag("lock", NAME).gauge().value();
    }

    private double renewals(String outcome) {
        return registry.get("redislock.renewals").tags("lock", NAME, "outcome", outcome).counter().count();
    }

    private double losses(LockLoss reason) {
        return registry.get("redislock.losses").tags("lock", NAME, "reason", reason.name().toLowerCase())
                .counter().count();
    }

    private Map<String, List<String>> tagsByName() {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .collect(Collectors.groupingBy(Meter.Id::getName, TreeMap::new,
                        Collectors.mapping(MicrometerLockListenerTest::tags,
                                Collectors.collectingAndThen(Collectors.toList(),
                                        found -> found.stream().sorted().toList()))));
    }

    private static String tags(Meter.Id id) {
        return id.getTags().stream().map((Tag tag) -> tag.getKey() + "=" + tag.getValue())
                .collect(Collectors.joining(","));
    }
}
