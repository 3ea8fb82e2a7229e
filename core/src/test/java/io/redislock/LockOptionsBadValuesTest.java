package io.redislock;

import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** A bad value is refused by the call that brings it, and the message names the argument and the value. */
class LockOptionsBadValuesTest {

    private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    private static final Duration COUNTABLE = Duration.ofNanos(Long.MAX_VALUE);
    private static final Duration MILLI = Duration.ofMillis(1);

    static Stream<Arguments> nulls() {
        return Stream.of(
                missing("metricName", options -> options.name(null)),
                missing("expiry", options -> options.expiry(null)),
                missing("delay", options -> options.retry(1, null)),
                missing("maxRetryDelay", options -> options.maxRetryDelay(null)),
                missing("waitAtMost", options -> options.waitAtMost(null)),
                missing("commandTimeout", options -> options.commandTimeout(null)),
                missing("maxHold", options -> options.autoRenew(null)));
    }

    @ParameterizedTest
    @MethodSource("nulls")
    void nullIsRefusedByName(String argument, UnaryOperator<LockOptions> call) {
        assertThatNullPointerException().isThrownBy(() -> call.apply(LockOptions.defaults())).withMessage(argument);
    }

    static Stream<Arguments> badValues() {
        return Stream.of(
                durations("expiry", LockOptions::expiry,
                        // 1 and 2 ms are eaten by the drift allowance, and 2.999999 ms count as 2.
                        Duration.ofNanos(1), Duration.ofNanos(999_999), MILLI, Duration.ofMillis(2),
                        Duration.ofNanos(2_999_999)),
                durations("delay", (options, delay) -> options.retry(1, delay)),
                durations("maxRetryDelay", LockOptions::maxRetryDelay),
                durations("commandTimeout", LockOptions::commandTimeout),
                durations("maxHold", LockOptions::autoRenew),
                Stream.of(Duration.ofNanos(-1), Duration.ofSeconds(-1), Duration.ofSeconds(Long.MIN_VALUE))
                        .map(wait -> bad("waitAtMost", wait, options -> options.waitAtMost(wait))),
                Stream.of(-1L, Long.MIN_VALUE)
                        .map(retries -> bad("maxRetries", retries, options -> options.retry(retries, MILLI))),
                Stream.of(-0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
                                -Double.MIN_VALUE, Math.nextUp(1.0))
                        .map(share -> bad("jitter", share, options -> options.jitter(share))),
                Stream.of("", " ", "\t\n", "\u2003")
                        .map(blank -> bad("metricName", '"' + blank + '"', options -> options.name(blank))))
                .flatMap(rows -> rows);
    }

    @ParameterizedTest
    @MethodSource("badValues")
    void badValueIsRefusedByNameAndShown(String argument, String shown, UnaryOperator<LockOptions> call) {
        assertThatIllegalArgumentException().isThrownBy(() -> call.apply(LockOptions.defaults()))
                .withMessageStartingWith(argument + " ")
                .withMessageEndingWith(": " + shown);
    }

    static Stream<Named<UnaryOperator<LockOptions>>> extremes() {
        return Stream.of(
                extreme("expiry of 3 ms", options -> options.expiry(Duration.ofMillis(3))),
                extreme("expiry of 292 years", options -> options.expiry(COUNTABLE)),
                extreme("no retries", options -> options.retry(0, MILLI)),
                extreme("endless retries", options -> options.retry(Long.MAX_VALUE, MILLI)),
                extreme("delay of 1 ns", options -> options.retry(1, Duration.ofNanos(1))),
                extreme("delay of 292 years", options -> options.retry(1, COUNTABLE)),
                extreme("cap of 1 ns", options -> options.maxRetryDelay(Duration.ofNanos(1))),
                extreme("cap of 292 years", options -> options.maxRetryDelay(COUNTABLE)),
                extreme("no jitter", options -> options.jitter(0)),
                extreme("full jitter", options -> options.jitter(1)),
                extreme("no wait", options -> options.waitAtMost(Duration.ZERO)),
                // How some write a wait without end. Only this setter takes it: nothing else could be that long.
                extreme("the longest wait", options -> options.waitAtMost(LONGEST)),
                extreme("timeout of 1 ns", options -> options.commandTimeout(Duration.ofNanos(1))),
                extreme("timeout of 292 years", options -> options.commandTimeout(COUNTABLE)),
                extreme("hold of 1 ns", options -> options.autoRenew(Duration.ofNanos(1))),
                extreme("hold of 292 years", options -> options.autoRenew(COUNTABLE)));
    }

    @ParameterizedTest
    @MethodSource("extremes")
    void extremeValueIsTaken(UnaryOperator<LockOptions> call) {
        assertThat(call.apply(LockOptions.defaults())).isNotEqualTo(LockOptions.defaults());
    }

    @Test
    void negativeRetriesAreNamedBeforeAMissingDelay() {
        assertThatIllegalArgumentException().isThrownBy(() -> LockOptions.defaults().retry(-1, null))
                .withMessageContaining("maxRetries").withMessageContaining("-1");
    }

    @Test
    void expiryThatDriftEatsSaysSo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockOptions.defaults().expiry(Duration.ofMillis(2)))
                .withMessageContaining("at least 3 ms").withMessageContaining("drift");
    }

    /** What no duration may be, and then what this one may not be. */
    private static Stream<Arguments> durations(String argument,
            BiFunction<LockOptions, Duration, LockOptions> setter, Duration... more) {
        return Stream.concat(
                        Stream.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(-1),
                                Duration.ofSeconds(Long.MIN_VALUE), COUNTABLE.plusNanos(1),
                                Duration.ofSeconds(Long.MAX_VALUE), LONGEST),
                        Stream.of(more))
                .map(value -> bad(argument, value, options -> setter.apply(options, value)));
    }

    private static Arguments bad(String argument, Object value, UnaryOperator<LockOptions> call) {
        return arguments(argument, value.toString(), Named.of("its setter", call));
    }

    private static Arguments missing(String argument, UnaryOperator<LockOptions> call) {
        return arguments(argument, Named.of("its setter", call));
    }

    private static Named<UnaryOperator<LockOptions>> extreme(String what, UnaryOperator<LockOptions> call) {
        return Named.of(what, call);
    }
}
