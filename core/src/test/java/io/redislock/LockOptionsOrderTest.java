package io.redislock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Calls may come in any order: what depends on two options is worked out when it is read. */
class LockOptionsOrderTest {

    private static final LockOptions DEFAULTS = LockOptions.defaults();
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void everyOrderOfCallsGivesEqualOptions() {
        RandomRounds.rounds(2_000, random -> {
            List<UnaryOperator<LockOptions>> calls = someCalls(random);
            LockOptions expected = applied(calls);

            Collections.shuffle(calls, random);
            LockOptions shuffled = applied(calls);

            assertThat(shuffled).isEqualTo(expected).hasSameHashCodeAs(expected).hasToString(expected.toString());
            assertThat(shuffled.maxRetries()).isEqualTo(expected.maxRetries());
            assertThat(shuffled.commandTimeout()).isEqualTo(expected.commandTimeout());
            assertThat(shuffled.maxHold()).isEqualTo(expected.maxHold());
            assertThat(shuffled.isFenced()).isEqualTo(expected.isFenced());
        });
    }

    @Test
    void lastOfTwoCallsOfOneSetterCounts() {
        assertThat(DEFAULTS.expiry(Duration.ofMinutes(1)).jitter(0).expiry(SECOND))
                .isEqualTo(DEFAULTS.expiry(SECOND).jitter(0));
    }

    @Test
    void waitAtMostAloneLeavesRetriesUnbounded() {
        assertThat(DEFAULTS.waitAtMost(SECOND).maxRetries()).isEqualTo(Long.MAX_VALUE);
        assertThat(DEFAULTS.waitAtMost(Duration.ZERO).maxRetries()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void retryBoundsRetriesAlsoWithWaitAtMost() {
        LockOptions retryFirst = DEFAULTS.retry(5, SECOND).waitAtMost(SECOND);
        LockOptions retryLast = DEFAULTS.waitAtMost(SECOND).retry(5, SECOND);

        assertThat(retryFirst).isEqualTo(retryLast);
        assertThat(retryFirst.maxRetries()).isEqualTo(5);
        assertThat(retryFirst.waitAtMost()).contains(SECOND);
    }

    @Test
    void retriesGivenAsTheDefaultStayBoundedWithWaitAtMost() {
        assertThat(DEFAULTS.retry(3, Duration.ofMillis(200)).waitAtMost(SECOND).maxRetries()).isEqualTo(3);
        assertThat(DEFAULTS.retry(0, Duration.ofMillis(200)).waitAtMost(SECOND).maxRetries()).isZero();
    }

    @Test
    void commandTimeoutIsCappedAtTheExpiryInEitherOrder() {
        LockOptions timeoutFirst = DEFAULTS.commandTimeout(Duration.ofSeconds(5)).expiry(SECOND);
        LockOptions timeoutLast = DEFAULTS.expiry(SECOND).commandTimeout(Duration.ofSeconds(5));

        assertThat(timeoutFirst).isEqualTo(timeoutLast);
        assertThat(timeoutFirst.commandTimeout()).isEqualTo(SECOND);
    }

    @Test
    void defaultCommandTimeoutIsCappedToo() {
        assertThat(DEFAULTS.expiry(Duration.ofMillis(3)).commandTimeout()).isEqualTo(Duration.ofMillis(3));
    }

    @Test
    void cappedCommandTimeoutComesBackWithALongerExpiry() {
        assertThat(DEFAULTS.commandTimeout(Duration.ofSeconds(5)).expiry(SECOND).expiry(Duration.ofMinutes(1))
                .commandTimeout()).isEqualTo(Duration.ofSeconds(5));
    }

    /** Each setter at most once, with values on both sides of the caps. */
    private static List<UnaryOperator<LockOptions>> someCalls(Random random) {
        String name = "lock-" + random.nextInt(10);
        Duration expiry = millis(random, 3);
        long retries = random.nextInt(5);
        Duration delay = millis(random, 1);
        Duration cap = millis(random, 1);
        double jitter = random.nextDouble();
        Duration wait = millis(random, 0);
        Duration timeout = millis(random, 1);
        Duration maxHold = millis(random, 1);
        List<UnaryOperator<LockOptions>> calls = new ArrayList<>(List.of(
                options -> options.name(name),
                options -> options.expiry(expiry),
                options -> options.retry(retries, delay),
                options -> options.maxRetryDelay(cap),
                options -> options.jitter(jitter),
                options -> options.waitAtMost(wait),
                options -> options.commandTimeout(timeout),
                options -> options.autoRenew(maxHold),
                LockOptions::fenced));
        calls.removeIf(call -> random.nextInt(4) == 0);
        return calls;
    }

    private static Duration millis(Random random, int least) {
        return Duration.ofMillis(least + random.nextInt(5_000));
    }

    private static LockOptions applied(List<UnaryOperator<LockOptions>> calls) {
        LockOptions options = DEFAULTS;
        for (UnaryOperator<LockOptions> call : calls) {
            options = call.apply(options);
        }
        return options;
    }
}
