package io.redislock.lease;

import java.time.Duration;
import java.util.Random;

import io.redislock.RandomRounds;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a validity says is never more than the server grants, whatever the numbers. */
class ValidityPropertyTest {

    private static final int ROUNDS = 20_000;
    private static final long MOST_MILLIS = Long.MAX_VALUE / 1_000_000;

    @Test
    void remainingIsNeverOptimistic() {
        RandomRounds.rounds(ROUNDS, random -> {
            ManualClock clock = someClock(random);
            Duration expiry = someMillis(random);
            Validity validity = Validity.ofCommandSentNow(clock, expiry);

            Duration elapsed = someTimeUpTo(random, expiry);
            clock.pass(elapsed);

            Duration serverGrants = expiry.minus(elapsed);
            Duration remaining = validity.remaining(clock);
            assertThat(remaining).isLessThanOrEqualTo(serverGrants).isGreaterThanOrEqualTo(Duration.ZERO);
            assertThat(validity.isOver(clock)).isEqualTo(remaining.isZero());
        });
    }

    /** In whole milliseconds, the grain of the wall clock. */
    @Test
    void remainingIsNotOptimisticAfterASleepOfTheMachine() {
        RandomRounds.rounds(ROUNDS, random -> {
            ManualClock clock = new ManualClock(random.nextLong(), Duration.ofMillis(random.nextInt()));
            Duration expiry = Duration.ofMillis(1 + random.nextInt(100_000));
            Validity validity = Validity.ofCommandSentNow(clock, expiry);

            Duration awake = Duration.ofMillis(random.nextInt(100_000));
            Duration asleep = Duration.ofMillis(random.nextInt(100_000));
            clock.pass(awake);
            clock.moveWall(asleep);

            Duration serverGrants = expiry.minus(awake).minus(asleep);
            assertThat(validity.remaining(clock))
                    .isLessThanOrEqualTo(serverGrants.isNegative() ? Duration.ZERO : serverGrants)
                    .isGreaterThanOrEqualTo(Duration.ZERO);
        });
    }

    @Test
    void noStepOfTheWallClockGivesMoreThanTheMonotonicClock() {
        RandomRounds.rounds(ROUNDS, random -> {
            ManualClock clock = someClock(random);
            Duration expiry = someMillis(random);
            Validity validity = Validity.ofCommandSentNow(clock, expiry);
            clock.pass(someTimeUpTo(random, expiry));
            Duration unstepped = validity.remaining(clock);

            clock.moveWall(Duration.ofMillis(random.nextLong() >> 1 + random.nextInt(60)));

            assertThat(validity.remaining(clock)).isLessThanOrEqualTo(unstepped);
        });
    }

    @Test
    void remainingOnlyFallsAsTimePasses() {
        RandomRounds.rounds(ROUNDS / 10, random -> {
            ManualClock clock = someClock(random);
            Duration expiry = someMillis(random);
            Validity validity = Validity.ofCommandSentNow(clock, expiry);

            Duration before = validity.remaining(clock);
            for (int i = 0; i < 10; i++) {
                clock.pass(someTimeUpTo(random, expiry).dividedBy(8));
                Duration now = validity.remaining(clock);
                assertThat(now).isLessThanOrEqualTo(before);
                before = now;
            }
        });
    }

    private static ManualClock someClock(Random random) {
        return new ManualClock(random.nextLong(), Duration.ofMillis(random.nextInt()).plusNanos(random.nextInt()));
    }

    /** From 1 ms to 292 years, each order of magnitude as likely as the next. */
    private static Duration someMillis(Random random) {
        return Duration.ofMillis(Math.max(1, (random.nextLong() & Long.MAX_VALUE) % MOST_MILLIS >> random.nextInt(43)));
    }

    private static Duration someTimeUpTo(Random random, Duration most) {
        return Duration.ofNanos((long) (most.toNanos() * random.nextDouble()));
    }
}
