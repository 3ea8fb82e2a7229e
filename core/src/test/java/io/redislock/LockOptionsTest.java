package io.redislock;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class LockOptionsTest {

    private static final LockOptions DEFAULTS = LockOptions.defaults();

    @Test
    void defaultsAreThoseOfTheDocumentation() {
        assertThat(DEFAULTS.name()).isEqualTo("lock");
        assertThat(DEFAULTS.expiry()).isEqualTo(Duration.ofSeconds(30));
        assertThat(DEFAULTS.maxRetries()).isEqualTo(3);
        assertThat(DEFAULTS.retryDelay()).isEqualTo(Duration.ofMillis(200));
        assertThat(DEFAULTS.maxRetryDelay()).isEqualTo(Duration.ofSeconds(2));
        assertThat(DEFAULTS.jitter()).isEqualTo(0.5);
        assertThat(DEFAULTS.waitAtMost()).isEmpty();
        assertThat(DEFAULTS.commandTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(DEFAULTS.maxHold()).as("not renewed").isEmpty();
        assertThat(DEFAULTS.isFenced()).isFalse();
    }

    @Test
    void eachSetterChangesWhatItsAccessorReads() {
        LockOptions options = DEFAULTS
                .name("nightly")
                .expiry(Duration.ofSeconds(10))
                .retry(7, Duration.ofMillis(50))
                .maxRetryDelay(Duration.ofSeconds(1))
                .jitter(0.25)
                .waitAtMost(Duration.ofSeconds(5))
                .commandTimeout(Duration.ofSeconds(1))
                .autoRenew(Duration.ofMinutes(10))
                .fenced();

        assertThat(options.name()).isEqualTo("nightly");
        assertThat(options.expiry()).isEqualTo(Duration.ofSeconds(10));
        assertThat(options.maxRetries()).isEqualTo(7);
        assertThat(options.retryDelay()).isEqualTo(Duration.ofMillis(50));
        assertThat(options.maxRetryDelay()).isEqualTo(Duration.ofSeconds(1));
        assertThat(options.jitter()).isEqualTo(0.25);
        assertThat(options.waitAtMost()).contains(Duration.ofSeconds(5));
        assertThat(options.commandTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(options.maxHold()).contains(Duration.ofMinutes(10));
        assertThat(options.isFenced()).isTrue();
    }

    static Stream<Named<UnaryOperator<LockOptions>>> changes() {
        return Stream.of(
                change("name", options -> options.name("nightly")),
                change("expiry", options -> options.expiry(Duration.ofSeconds(31))),
                change("retries", options -> options.retry(4, Duration.ofMillis(200))),
                change("retry delay", options -> options.retry(3, Duration.ofMillis(201))),
                change("maxRetryDelay", options -> options.maxRetryDelay(Duration.ofSeconds(3))),
                change("jitter", options -> options.jitter(0.6)),
                change("waitAtMost", options -> options.waitAtMost(Duration.ofSeconds(9))),
                change("commandTimeout", options -> options.commandTimeout(Duration.ofSeconds(3))),
                change("maxHold", options -> options.autoRenew(Duration.ofMinutes(10))),
                change("fenced", LockOptions::fenced));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void changedCopyDiffersAndLeavesItsTemplateAsItWas(UnaryOperator<LockOptions> change) {
        String before = DEFAULTS.toString();

        LockOptions changed = change.apply(DEFAULTS);

        assertThat(changed).isNotEqualTo(DEFAULTS).doesNotHaveSameHashCodeAs(DEFAULTS)
                .isEqualTo(change.apply(DEFAULTS))
                .hasSameHashCodeAs(change.apply(DEFAULTS));
        assertThat(changed.toString()).isNotEqualTo(before).isEqualTo(change.apply(DEFAULTS).toString());
        assertThat(DEFAULTS).isEqualTo(LockOptions.defaults()).hasToString(before);
    }

    @Test
    void copiesOfOneTemplateDoNotSeeEachOther() {
        LockOptions template = DEFAULTS.expiry(Duration.ofMinutes(1));

        LockOptions patient = template.waitAtMost(Duration.ofSeconds(10));
        LockOptions hasty = template.retry(0, Duration.ofMillis(1));

        assertThat(patient.retryDelay()).isEqualTo(Duration.ofMillis(200));
        assertThat(hasty.waitAtMost()).isEmpty();
        assertThat(template.autoRenew(Duration.ofHours(1)).waitAtMost()).isEmpty();
        assertThat(template.maxHold()).isEmpty();
        assertThat(List.of(patient.expiry(), hasty.expiry())).containsOnly(Duration.ofMinutes(1));
    }

    /** A bound on the whole hold: unlike a round trip it is no part of the lease, and may be shorter or longer. */
    @Test
    void maxHoldIsNeitherCappedAtTheExpiryNorRaisedToIt() {
        assertThat(DEFAULTS.autoRenew(Duration.ofMillis(1)).maxHold()).contains(Duration.ofMillis(1));
        assertThat(DEFAULTS.expiry(Duration.ofSeconds(1)).autoRenew(Duration.ofDays(7)).maxHold())
                .contains(Duration.ofDays(7));
    }

    /** Without what tools that measure coverage put in. */
    @Test
    void classAndFieldsAreFinal() {
        assertThat(LockOptions.class).isFinal();
        assertThat(Arrays.stream(LockOptions.class.getDeclaredFields())
                .filter(field -> !field.isSynthetic() && !Modifier.isStatic(field.getModifiers()))
                .map(Field::getModifiers)).isNotEmpty()
                .allMatch(modifiers -> Modifier.isFinal(modifiers) && Modifier.isPrivate(modifiers));
    }

    @Test
    void fractionsOfAMillisecondAreCutOffTheExpiry() {
        assertThat(DEFAULTS.expiry(Duration.ofNanos(5_999_999)).expiry()).isEqualTo(Duration.ofMillis(5));
        assertThat(DEFAULTS.expiry(Duration.ofNanos(5_999_999))).isEqualTo(DEFAULTS.expiry(Duration.ofMillis(5)));
    }

    @Test
    void negativeZeroIsNoOtherJitterThanZero() {
        assertThat(DEFAULTS.jitter(-0.0)).isEqualTo(DEFAULTS.jitter(0)).hasSameHashCodeAs(DEFAULTS.jitter(0))
                .hasToString(DEFAULTS.jitter(0).toString());
    }

    @Test
    void optionsEqualNeitherNullNorStrangers() {
        assertThat(DEFAULTS).isNotEqualTo(null).isNotEqualTo("LockOptions");
    }

    @Test
    void textShowsEveryOptionAsItApplies() {
        assertThat(DEFAULTS).hasToString("LockOptions[name=lock, expiry=PT30S, maxRetries=3, retryDelay=PT0.2S, "
                + "maxRetryDelay=PT2S, jitter=0.5, waitAtMost=none, commandTimeout=PT2S, maxHold=not renewed, "
                + "fenced=false]");
        assertThat(DEFAULTS.expiry(Duration.ofSeconds(1)).waitAtMost(Duration.ofMinutes(1))
                .autoRenew(Duration.ofHours(1)).fenced())
                .hasToString("LockOptions[name=lock, expiry=PT1S, maxRetries=unbounded, retryDelay=PT0.2S, "
                        + "maxRetryDelay=PT2S, jitter=0.5, waitAtMost=PT1M, commandTimeout=PT1S, maxHold=PT1H, "
                        + "fenced=true]");
    }

    private static Named<UnaryOperator<LockOptions>> change(String what, UnaryOperator<LockOptions> change) {
        return Named.of(what, change);
    }
}
