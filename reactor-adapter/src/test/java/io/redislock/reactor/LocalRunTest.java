package io.redislock.reactor;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Whoever had the lock last lets the others go first. Runs and pauses are seen in {@link ProcessFairnessTest}. */
class LocalRunTest {

    private static final long ROUND_TRIP = Duration.ofNanos(100_000).toNanos();
    private static final long PAUSE = LocalRun.pauseNanos(ROUND_TRIP);
    private static final long TURN = Duration.ofMillis(20).toNanos();

    private final LocalRun run = new LocalRun();

    @Test
    void whoSeesNobodyElseDoesNotGiveWay() {
        run.begin(0);

        assertThat(run.giveWayNanos(TURN, ROUND_TRIP)).isZero();
    }

    @Test
    void whoJustHadTheLockGivesWayForAPause() {
        run.begin(0);
        run.handedOn(TURN);
        run.anotherHolder();

        assertThat(run.giveWayNanos(TURN, ROUND_TRIP)).isEqualTo(PAUSE);
    }

    @Test
    void eachHolderWhoTookATurnHalvesIt() {
        run.begin(0);
        run.anotherHolder();
        run.anotherHolder();

        assertThat(run.giveWayNanos(10 * TURN, ROUND_TRIP)).isEqualTo(PAUSE / 4);
    }

    @Test
    void holdersWhoHandTheLockOnAmongThemselvesCountAsOneTurn() {
        run.begin(0);
        for (int i = 0; i < 100; i++) {
            run.anotherHolder();
        }

        assertThat(run.giveWayNanos(TURN, ROUND_TRIP)).isEqualTo(PAUSE / 2);
    }

    @Test
    void whoHasWaitedForManyTurnsGivesWayToNobody() {
        run.begin(0);
        for (int i = 0; i < 100; i++) {
            run.anotherHolder();
        }

        assertThat(run.giveWayNanos(100 * TURN, ROUND_TRIP)).isZero();
    }

    @Test
    void whoHadTheLockAgainBeginsAnew() {
        run.begin(0);
        run.anotherHolder();
        run.begin(TURN);

        assertThat(run.giveWayNanos(2 * TURN, ROUND_TRIP)).isZero();
    }
}
