package io.redislock.reactor;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

import io.redislock.LockOptions;
import io.redislock.protocol.LockScript;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A renewed lease that is released just when a renewal is due, in flight, or to be sent again as its source: by the
 * server's own account no renewal comes after a release. Leases this short may be lost on a busy machine; they are
 * released like the others.
 */
class NoRenewalAfterReleaseTest {

    private static final int ROUNDS = Rounds.of(10_000);
    private static final int AT_ONCE = 32;
    /** Renewed every 9 to 10 ms. */
    private static final LockOptions BRIEF = LockOptions.defaults().expiry(Duration.ofMillis(30))
            .autoRenew(Duration.ofMinutes(1)).retry(0, Duration.ofMillis(1));
    private static final long SHORTEST_HOLD_NANOS = Duration.ofMillis(5).toNanos();
    private static final long LONGEST_HOLD_NANOS = Duration.ofMillis(15).toNanos();
    /** How long before a release a renewal counts as just before it. */
    private static final long JUST_BEFORE_MICROS = 1_000;
    private static final Duration UNTIL_NOTHING_IS_PLANNED = BRIEF.expiry().multipliedBy(10);

    /** What else goes on. */
    enum Weather { CALM, SCRIPT_FLUSH }

    /** What releases, and on which kind of thread. */
    enum Release { ON_A_TIMER_THREAD, ON_THE_EVENT_LOOP, ON_A_WORKER, WITH_LOCK, CANCEL }

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final ReactiveRedisLocks locks = FIXTURE.locks();
    private final Sightings sightings = new Sightings();

    @ParameterizedTest
    @EnumSource
    void noRenewalFollowsTheReleaseOfItsLease(Weather weather) throws InterruptedException {
        long start = System.nanoTime();
        try (ServerMonitor monitor = ServerMonitor.of(FIXTURE.server(), sightings::see)) {
            Disposable storm = storm(weather).subscribe();
            Flux.range(0, ROUNDS).flatMap(this::round, AT_ONCE).blockLast(Duration.ofMinutes(4));
            Thread.sleep(UNTIL_NOTHING_IS_PLANNED.toMillis());
            storm.dispose();
            LocksFixture.settle(locks, FIXTURE.freshKey());
            FIXTURE.redis().echo("the end");
            monitor.awaitLast("ECHO", "the end");
        }

        System.out.printf("%s: %d rounds, %s, %d ms%n", weather, ROUNDS, sightings,
                (System.nanoTime() - start) / 1_000_000);
        assertThat(sightings.renewals).as("renewals").isPositive();
        assertThat(sightings.renewalsJustBefore).as("renewals just before a release").isPositive();
        assertThat(sightings.releases).as("releases").isPositive();
        assertThat(sightings.renewalsAfter).as("renewals after the release of the same lease").isZero();
    }

    private Publisher<?> round(int round) {
        String key = FIXTURE.freshKey();
        Release release = Release.values()[round % Release.values().length];
        Mono<?> hold = Mono.delay(Duration.ofNanos(
                ThreadLocalRandom.current().nextLong(SHORTEST_HOLD_NANOS, LONGEST_HOLD_NANOS)));
        Mono<?> held = switch (release) {
            case ON_A_TIMER_THREAD -> locks.acquire(key, BRIEF).flatMap(lock -> hold.then(lock.release()));
            case ON_THE_EVENT_LOOP -> locks.acquire(key, BRIEF)
                    .flatMap(lock -> hold.then(locks.query(key)).then(lock.release()));
            case ON_A_WORKER -> locks.acquire(key, BRIEF)
                    .flatMap(lock -> hold.publishOn(Schedulers.boundedElastic()).then(lock.release()));
            case WITH_LOCK -> locks.withLock(key, BRIEF, lock -> hold);
            case CANCEL -> locks.withLock(key, BRIEF, lock -> Mono.never()).timeout(hold);
        };
        return held.onErrorResume(lostOrTimedOut -> Mono.empty());
    }

    private static Flux<?> storm(Weather weather) {
        return switch (weather) {
            case CALM -> Flux.never();
            case SCRIPT_FLUSH -> FIXTURE.reactiveRedis().scriptFlush().then(Mono.delay(Duration.ofMillis(2))).repeat();
        };
    }

    /** What the server was sent, by owner value. Filled by one thread, and read when that has seen all. */
    private static final class Sightings {

        private final Map<String, Long> releasedAt = new HashMap<>();
        private final Map<String, Long> renewedAt = new HashMap<>();
        private int renewals;
        private int renewalsJustBefore;
        private int renewalsAfter;
        private int releases;
        private int sources;

        /** {@code EVALSHA sha 1 key value ..} and {@code EVAL source 1 key value ..} are of interest. */
        void see(long micros, List<String> command) {
            String name = command.get(0).toLowerCase(Locale.ROOT);
            if (!name.startsWith("eval")) {
                return;
            }
            sources += name.equals("eval") ? 1 : 0;
            String value = command.get(4);
            if (is(LockScript.PROLONG, command.get(1))) {
                renewals++;
                renewalsAfter += releasedAt.containsKey(value) ? 1 : 0;
                renewedAt.put(value, micros);
            } else if (is(LockScript.RELEASE, command.get(1)) && releasedAt.putIfAbsent(value, micros) == null) {
                releases++;
                renewalsJustBefore += micros - renewedAt.getOrDefault(value, 0L) < JUST_BEFORE_MICROS ? 1 : 0;
            }
        }

        private static boolean is(LockScript script, String shaOrEscapedSource) {
            return shaOrEscapedSource.equals(script.sha1())
                    || shaOrEscapedSource.equals(script.source().replace("\"", "\\\"").replace("\n", "\\n"));
        }

        @Override
        public String toString() {
            return renewals + " renewals, " + renewalsJustBefore + " of them just before a release and "
                    + renewalsAfter + " after one, " + releases + " releases, " + sources + " scripts sent as source";
        }
    }
}
