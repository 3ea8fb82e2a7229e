package io.redislock.lease;

import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

import io.redislock.RandomRounds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class RenewalScheduleTest {

    private static final Duration LONGEST = Duration.ofMillis(Long.MAX_VALUE / 1_000_000);

    @Test
    void renewalIsDueBetweenNineTenthsOfAThirdAndAThird() {
        RandomRounds.rounds(20_000, random -> {
            Duration expiry = someExpiry(random);
            Duration third = expiry.dividedBy(3);

            Duration next = new RenewalSchedule(expiry).untilNext();

            assertThat(next).isLessThanOrEqualTo(third)
                    .isGreaterThanOrEqualTo(third.minus(third.dividedBy(10))).isPositive();
        });
    }

    /** Leases acquired together drift apart: of a range of a second, hardly ever the same nanosecond. */
    @Test
    void periodsOfOneScheduleDiffer() {
        RenewalSchedule schedule = new RenewalSchedule(Duration.ofSeconds(30));
        Set<Duration> drawn = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            drawn.add(schedule.untilNext());
        }

        assertThat(drawn).hasSizeGreaterThan(900);
        assertThat(drawn).as("early").anyMatch(period -> period.compareTo(Duration.ofMillis(9_250)) < 0);
        assertThat(drawn).as("late").anyMatch(period -> period.compareTo(Duration.ofMillis(9_750)) > 0);
    }

    /** A thirtieth, within 50 ms and 1 s; of a lease too short for that, a ninth, so that several tries still fit. */
    static Stream<Arguments> retries() {
        return Stream.of(
                arguments(Duration.ofMillis(3), Duration.ofNanos(333_333)),
                arguments(Duration.ofMillis(10), Duration.ofNanos(1_111_111)),
                arguments(Duration.ofMillis(90), Duration.ofMillis(10)),
                arguments(Duration.ofMillis(449), Duration.ofNanos(49_888_888)),
                arguments(Duration.ofMillis(450), Duration.ofMillis(50)),
                arguments(Duration.ofMillis(451), Duration.ofMillis(50)),
                arguments(Duration.ofMillis(1_500), Duration.ofMillis(50)),
                arguments(Duration.ofMillis(1_530), Duration.ofMillis(51)),
                arguments(Duration.ofSeconds(6), Duration.ofMillis(200)),
                arguments(Duration.ofSeconds(30), Duration.ofSeconds(1)),
                arguments(Duration.ofSeconds(31), Duration.ofSeconds(1)),
                arguments(Duration.ofDays(1), Duration.ofSeconds(1)),
                arguments(LONGEST, Duration.ofSeconds(1)));
    }

    @ParameterizedTest
    @MethodSource("retries")
    void retryComesSoonButNotInAStorm(Duration expiry, Duration delay) {
        assertThat(new RenewalSchedule(expiry).untilRetry()).isEqualTo(delay);
    }

    @Test
    void retryNeverWaitsLongerThanANinthOfTheExpiryOrASecond() {
        RandomRounds.rounds(20_000, random -> {
            Duration expiry = someExpiry(random);

            assertThat(new RenewalSchedule(expiry).untilRetry()).isPositive()
                    .isLessThanOrEqualTo(expiry.dividedBy(9)).isLessThanOrEqualTo(Duration.ofSeconds(1));
        });
    }

    static Stream<Arguments> timeouts() {
        return Stream.of(
                arguments(Duration.ofSeconds(30), Duration.ofSeconds(2), Duration.ofSeconds(2)),
                arguments(Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(10)),
                arguments(Duration.ofSeconds(30), Duration.ofSeconds(11), Duration.ofSeconds(10)),
                arguments(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofSeconds(1)),
                arguments(Duration.ofMillis(3), Duration.ofMillis(3), Duration.ofMillis(1)),
                arguments(LONGEST, Duration.ofNanos(1), Duration.ofNanos(1)));
    }

    @ParameterizedTest
    @MethodSource("timeouts")
    void renewalTakesNoLongerThanACommandNorAPeriod(Duration expiry, Duration commandTimeout, Duration timeout) {
        assertThat(new RenewalSchedule(expiry).timeout(commandTimeout)).isEqualTo(timeout);
    }

    /** From 10 ms on; below, the fixed 2 ms of drift are too large a share of the expiry. */
    @Test
    void afterARenewalThatTimedOutAnotherBeginsBeforeTheDeadline() {
        RandomRounds.rounds(20_000, random -> {
            Duration expiry = someExpiry(random).plusMillis(7);
            RenewalSchedule schedule = new RenewalSchedule(expiry);

            Duration second = schedule.untilNext().plus(schedule.timeout(LONGEST)).plus(schedule.untilRetry());

            assertThat(second).isLessThan(Duration.ofNanos(Validity.allowedNanos(expiry)));
        });
    }

    /** Refused at once, as by a server that is loading its data: two failures are survived, and more. */
    @Test
    void threeRenewalsFailedAtOnceLeaveTimeForAFourth() {
        RandomRounds.rounds(20_000, random -> {
            Duration expiry = someExpiry(random).plusMillis(7);
            RenewalSchedule schedule = new RenewalSchedule(expiry);

            Duration fourth = schedule.untilNext().plus(schedule.untilRetry().multipliedBy(3));

            assertThat(fourth).isLessThan(Duration.ofNanos(Validity.allowedNanos(expiry)));
        });
    }

    /** From 3 ms to 292 years, each order of magnitude as likely as the next. */
    private static Duration someExpiry(Random random) {
        long most = LONGEST.toMillis() - 10;
        return Duration.ofMillis(3 + ((random.nextLong() & Long.MAX_VALUE) % most >> random.nextInt(43)));
    }

    @Test
    void renewalThatWasAnsweredLateIsFollowedByAnEarlierOne() {
        RenewalSchedule schedule = new RenewalSchedule(Duration.ofSeconds(30));

        assertThat(schedule.untilNext(Duration.ofSeconds(29))).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(10));
        assertThat(schedule.untilNext(Duration.ofSeconds(20))).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(10));
        assertThat(schedule.untilNext(Duration.ofSeconds(15))).isEqualTo(Duration.ofSeconds(5));
        assertThat(schedule.untilNext(Duration.ofSeconds(10))).isEqualTo(schedule.untilRetry());
        assertThat(schedule.untilNext(Duration.ofMillis(1))).isEqualTo(schedule.untilRetry());
    }
}
