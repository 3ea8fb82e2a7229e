package io.redislock.lease;

import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class ValidityTest {

    private static final Duration EXPIRY = Duration.ofSeconds(30);
    private static final long ALLOWED_NANOS = 29_698_000_000L;

    private final ManualClock clock = ManualClock.anywhere();

    /** Expiry - 1 % - 2 ms, worked out by hand. */
    static Stream<Arguments> deadlines() {
        return Stream.of(
                arguments(Duration.ofMillis(3), 970_000L),
                arguments(Duration.ofMillis(10), 7_900_000L),
                arguments(Duration.ofMillis(100), 97_000_000L),
                arguments(Duration.ofSeconds(1), 988_000_000L),
                arguments(EXPIRY, ALLOWED_NANOS),
                arguments(Duration.ofDays(1), 85_535_998_000_000L),
                arguments(Duration.ofMillis(Long.MAX_VALUE / 1_000_000), 9_131_138_316_483_460_000L));
    }

    @ParameterizedTest
    @MethodSource("deadlines")
    void remainingStartsAtTheExpiryLessTheDrift(Duration expiry, long allowedNanos) {
        assertThat(Validity.ofCommandSentNow(clock, expiry).remaining(clock)).isEqualTo(Duration.ofNanos(allowedNanos));
    }

    @ParameterizedTest
    @MethodSource("deadlines")
    void endsExactlyAtTheDeadline(Duration expiry, long allowedNanos) {
        Validity validity = Validity.ofCommandSentNow(clock, expiry);

        clock.passNanos(allowedNanos - 1);
        assertThat(validity.isOver(clock)).isFalse();
        assertThat(validity.remaining(clock)).isEqualTo(Duration.ofNanos(1));

        clock.passNanos(1);
        assertThat(validity.isOver(clock)).isTrue();
        assertThat(validity.remaining(clock)).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void expiryOfTwoMillisecondsIsEatenByDrift(long millis) {
        Validity validity = Validity.ofCommandSentNow(clock, Duration.ofMillis(millis));

        assertThat(validity.isOver(clock)).isTrue();
        assertThat(validity.remaining(clock)).isZero();
    }

    @Test
    void remainingIsNeverNegative() {
        Validity validity = Validity.ofCommandSentNow(clock, EXPIRY);

        clock.pass(Duration.ofDays(365));

        assertThat(validity.remaining(clock)).isZero();
        assertThat(validity.isOver(clock)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 1_000_000_000, -1, Long.MIN_VALUE, 0})
    void nanoTimeMayOverflow(long start) {
        ManualClock wrapping = new ManualClock(start, Duration.ofMillis(1_700_000_000_000L));
        Validity validity = Validity.ofCommandSentNow(wrapping, EXPIRY);

        assertThat(validity.remaining(wrapping)).isEqualTo(Duration.ofNanos(ALLOWED_NANOS));
        wrapping.passNanos(ALLOWED_NANOS - 1);
        assertThat(validity.isOver(wrapping)).isFalse();
        wrapping.passNanos(1);
        assertThat(validity.isOver(wrapping)).isTrue();
    }

    @Test
    void wallClockThatMovedByAnExpiryEndsIt() {
        Validity validity = Validity.ofCommandSentNow(clock, EXPIRY);

        clock.moveWall(EXPIRY);

        assertThat(validity.isOver(clock)).isTrue();
        assertThat(validity.remaining(clock)).isZero();
    }

    /** Suspended until a moment before the server expires the key, at every fraction of a millisecond. */
    @Test
    void leaseIsOverBeforeItsExpiryAlsoByTheWallClockAlone() {
        for (int fraction = 0; fraction < 1_000; fraction++) {
            ManualClock suspended = ManualClock.anywhere();
            suspended.passNanos(fraction * 1_000L);
            Validity validity = Validity.ofCommandSentNow(suspended, EXPIRY);

            suspended.moveWall(EXPIRY.minusNanos(1));

            assertThat(validity.isOver(suspended)).isTrue();
        }
    }

    /** A virtual machine that slept: the monotonic clock stood still, the server's did not. */
    @Test
    void sleepOfTheMachineIsTakenOffWhatRemains() {
        Validity validity = Validity.ofCommandSentNow(clock, EXPIRY);

        clock.pass(Duration.ofSeconds(5));
        clock.moveWall(Duration.ofSeconds(20));

        assertThat(validity.isOver(clock)).isFalse();
        assertThat(validity.remaining(clock)).isLessThanOrEqualTo(Duration.ofSeconds(5)).isPositive();
    }

    @Test
    void wallClockSteppedBackDoesNotProlong() {
        Validity validity = Validity.ofCommandSentNow(clock, EXPIRY);

        clock.moveWall(Duration.ofDays(-1));
        assertThat(validity.remaining(clock)).isEqualTo(Duration.ofNanos(ALLOWED_NANOS));

        clock.passNanos(ALLOWED_NANOS);
        assertThat(validity.isOver(clock)).isTrue();
    }

    @Test
    void wallClockSteppedBackFurtherThanNanosecondsCountIsHarmless() {
        Validity validity = Validity.ofCommandSentNow(clock, EXPIRY);

        clock.moveWall(Duration.ofDays(-365 * 400));

        assertThat(validity.remaining(clock)).isEqualTo(Duration.ofNanos(ALLOWED_NANOS));
    }

    @Test
    void readingChangesNothing() {
        Validity validity = Validity.ofCommandSentNow(clock, EXPIRY);

        clock.moveWall(EXPIRY);
        assertThat(validity.isOver(clock)).isTrue();
        clock.moveWall(EXPIRY.negated());

        assertThat(validity.remaining(clock)).isEqualTo(Duration.ofNanos(ALLOWED_NANOS));
    }
}
