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
 * released like the others, and when none lived to be renewed, all are repeated with longer ones.
 */
class NoRenewalAfterReleaseTest {

    private static final int ROUNDS = Rounds.of(10_000);
    private static final int AT_ONCE = 32;
    /** Renewed every 9 to 10 ms. */
    private static final Duration SHORTEST_EXPIRY = Duration.ofMillis(30);
    private static final Duration LONGEST_EXPIRY = SHORTEST_EXPIRY.multipliedBy(32);
    /** How long before a release a renewal counts as just before it. */
    private static final long JUST_BEFORE_MICROS = 1_000;

    /** What else goes on. */
    enum Weather { CALM, SCRIPT_FLUSH }

    /** What releases, and on which kind of thread. */
    enum Release { ON_A_TIMER_THREAD, ON_THE_EVENT_LOOP, ON_A_WORKER, WITH_LOCK, CANCEL }

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final ReactiveRedisLocks locks = FIXTURE.locks();

    @ParameterizedTest
    @EnumSource
    void noRenewalFollowsTheReleaseOfItsLease(Weather weather) throws InterruptedException {
        Sightings seen = sightings(weather, SHORTEST_EXPIRY);
        for (Duration expiry = SHORTEST_EXPIRY; seen.sawLittle() && expiry.compareTo(LONGEST_EXPIRY) < 0; ) {
            expiry = expiry.multipliedBy(2);
            seen = sightings(weather, expiry);
        }

        assertThat(seen.renewals).as("renewals").isPositive();
        assertThat(seen.renewalsJustBefore).as("renewals just before a release").isPositive();
        assertThat(seen.releases).as("releases").isPositive();
        assertThat(seen.renewalsAfter).as("renewals after the release of the same lease").isZero();
    }

    private Sightings sightings(Weather weather, Duration expiry) throws InterruptedException {
        Sightings seen = new Sightings();
        long start = System.nanoTime();
        try (ServerMonitor monitor = ServerMonitor.of(FIXTURE.server(), seen::see)) {
            Disposable storm = storm(weather).subscribe();
            Flux.range(0, ROUNDS).flatMap(round -> round(round, expiry), AT_ONCE).blockLast(Duration.ofMinutes(4));
            Thread.sleep(expiry.multipliedBy(10).toMillis()); // until nothing is planned any more
            storm.dispose();
            LocksFixture.settle(locks, FIXTURE.freshKey());
            FIXTURE.redis().echo("the end");
            monitor.awaitLast("ECHO", "the end");
        }
        System.out.printf("%s: %d rounds of %s, %s, %d ms%n", weather, ROUNDS, expiry, seen,
                (System.nanoTime() - start) / 1_000_000);
        return seen;
    }

    /** Held for about as long as it takes until the first renewal. */
    private Publisher<?> round(int round, Duration expiry) {
        String key = FIXTURE.freshKey();
        LockOptions brief = LockOptions.defaults().expiry(expiry).autoRenew(Duration.ofMinutes(1))
                .retry(0, Duration.ofMillis(1));
        Release release = Release.values()[round % Release.values().length];
        Mono<?> hold = Mono.delay(Duration.ofNanos(ThreadLocalRandom.current()
                .nextLong(expiry.dividedBy(6).toNanos(), expiry.dividedBy(2).toNanos())));
        Mono<?> held = switch (release) {
            case ON_A_TIMER_THREAD -> locks.acquire(key, brief).flatMap(lock -> hold.then(lock.release()));
            case ON_THE_EVENT_LOOP -> locks.acquire(key, brief)
                    .flatMap(lock -> hold.then(locks.query(key)).then(lock.release()));
            case ON_A_WORKER -> locks.acquire(key, brief)
                    .flatMap(lock -> hold.publishOn(Schedulers.boundedElastic()).then(lock.release()));
            case WITH_LOCK -> locks.withLock(key, brief, lock -> hold);
            case CANCEL -> locks.withLock(key, brief, lock -> Mono.never()).timeout(hold);
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

        /** Too little to show anything. */
        boolean sawLittle() {
            return renewalsAfter == 0 && renewalsJustBefore == 0;
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
