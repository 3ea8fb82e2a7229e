package io.redislock.lease;

import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class ExpiryTest {

    private static final Duration COUNTABLE = Duration.ofNanos(Long.MAX_VALUE);

    static Stream<Arguments> wholeMillis() {
        return Stream.of(
                arguments(Duration.ofMillis(3), 3L),
                arguments(Duration.ofNanos(3_000_001), 3L),
                arguments(Duration.ofNanos(3_999_999), 3L),
                arguments(Duration.ofSeconds(30), 30_000L),
                arguments(COUNTABLE, Long.MAX_VALUE / 1_000_000));
    }

    @ParameterizedTest
    @MethodSource("wholeMillis")
    void fractionsOfAMillisecondAreCutOff(Duration given, long millis) {
        assertThat(Expiry.onTheWire("expiry", given)).isEqualTo(Duration.ofMillis(millis));
        assertThat(Expiry.ofLease("expiry", given)).isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void oneMillisecondIsEnoughOnTheWire() {
        assertThat(Expiry.onTheWire("expiry", Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(1));
        assertThat(Expiry.onTheWire("expiry", Duration.ofNanos(1_999_999))).isEqualTo(Duration.ofMillis(1));
    }

    static Stream<Duration> noExpiries() {
        return Stream.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofDays(-1), Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofNanos(1), Duration.ofNanos(999_999), COUNTABLE.plusNanos(1),
                Duration.ofSeconds(Long.MAX_VALUE));
    }

    @ParameterizedTest
    @MethodSource("noExpiries")
    void whatRedisCannotCountIsRefused(Duration given) {
        assertThatIllegalArgumentException().isThrownBy(() -> Expiry.onTheWire("extension", given))
                .withMessageStartingWith("extension ").withMessageEndingWith(": " + given);
        assertThatIllegalArgumentException().isThrownBy(() -> Expiry.ofLease("extension", given))
                .withMessageStartingWith("extension ").withMessageEndingWith(": " + given);
    }

    static Stream<Duration> eatenByDrift() {
        return Stream.of(Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofNanos(2_999_999));
    }

    @ParameterizedTest
    @MethodSource("eatenByDrift")
    void leaseOfWhichDriftLeavesNothingIsRefused(Duration given) {
        assertThatIllegalArgumentException().isThrownBy(() -> Expiry.ofLease("expiry", given))
                .withMessageStartingWith("expiry must be at least 3 ms").withMessageEndingWith(": " + given);
    }

    @Test
    void leaseOfThreeMillisecondsIsTheShortestWithSomethingLeft() {
        ManualClock clock = ManualClock.anywhere();

        assertThat(Validity.ofCommandSentNow(clock, Duration.ofMillis(3)).isOver(clock)).isFalse();
        assertThat(Validity.ofCommandSentNow(clock, Duration.ofMillis(2)).isOver(clock)).isTrue();
    }

    @Test
    void nullIsRefusedByName() {
        assertThatNullPointerException().isThrownBy(() -> Expiry.onTheWire("extension", null)).withMessage("extension");
        assertThatNullPointerException().isThrownBy(() -> Expiry.ofLease("extension", null)).withMessage("extension");
    }

    @Test
    void countableEndsAtThe292YearsOfALong() {
        assertThatCode(() -> Expiry.requireCountable("delay", COUNTABLE)).doesNotThrowAnyException();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Expiry.requireCountable("delay", COUNTABLE.plusNanos(1)))
                .withMessageStartingWith("delay ").withMessageContaining("292 years")
                .withCauseInstanceOf(ArithmeticException.class);
    }
}
