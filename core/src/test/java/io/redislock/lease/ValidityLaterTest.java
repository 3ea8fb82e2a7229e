package io.redislock.lease;

import java.time.Duration;

import io.redislock.RandomRounds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** An extension never shortens: of the old validity and the new one, the later holds. */
class ValidityLaterTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualClock clock = ManualClock.anywhere();

    @Test
    void longerExtensionWins() {
        Validity old = Validity.ofCommandSentNow(clock, SECOND);
        clock.passNanos(1);
        Validity extension = Validity.ofCommandSentNow(clock, SECOND);

        assertThat(old.later(extension, clock)).isSameAs(extension);
        assertThat(extension.later(old, clock)).isSameAs(extension);
    }

    @Test
    void shorterExtensionIsOutlivedByWhatWasThere() {
        Validity old = Validity.ofCommandSentNow(clock, SECOND);
        clock.pass(Duration.ofMillis(100));
        Validity extension = Validity.ofCommandSentNow(clock, Duration.ofMillis(500));

        assertThat(old.later(extension, clock)).isSameAs(old);
        assertThat(extension.later(old, clock)).isSameAs(old);
    }

    @Test
    void extensionEatenByDriftShortensNothing() {
        Validity old = Validity.ofCommandSentNow(clock, SECOND);

        assertThat(old.later(Validity.ofCommandSentNow(clock, Duration.ofMillis(1)), clock)).isSameAs(old);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE - 1_000_000_000, Long.MAX_VALUE, Long.MIN_VALUE, -1_000_000_000})
    void deadlinesOnBothSidesOfAnOverflowAreOrdered(long start) {
        ManualClock wrapping = new ManualClock(start, Duration.ofMillis(1_700_000_000_000L));
        Validity old = Validity.ofCommandSentNow(wrapping, SECOND);
        wrapping.pass(Duration.ofMillis(900));
        Validity extension = Validity.ofCommandSentNow(wrapping, Duration.ofSeconds(10));

        assertThat(old.later(extension, wrapping)).isSameAs(extension);
        assertThat(extension.later(old, wrapping)).isSameAs(extension);
    }

    /** The wall clock went on by 20 s while the monotonic one stood still: the old lease ends first, by the wall. */
    @Test
    void extensionAfterASuspensionWinsAlthoughItsMonotonicDeadlineIsEarlier() {
        Validity old = Validity.ofCommandSentNow(clock, Duration.ofSeconds(30));
        clock.moveWall(Duration.ofSeconds(20));
        Validity extension = Validity.ofCommandSentNow(clock, Duration.ofSeconds(25));

        assertThat(old.later(extension, clock)).isSameAs(extension);
        assertThat(extension.later(old, clock)).isSameAs(extension);
    }

    @Test
    void laterOneHasTheGreaterRemainder() {
        RandomRounds.rounds(2_000, random -> {
            ManualClock moving = new ManualClock(random.nextLong(), Duration.ofMillis(random.nextInt()));
            Validity one = Validity.ofCommandSentNow(moving, Duration.ofMillis(1 + random.nextInt(5_000)));
            moving.passNanos(random.nextInt(2_000_000_000));
            Validity other = Validity.ofCommandSentNow(moving, Duration.ofMillis(1 + random.nextInt(5_000)));
            moving.passNanos(random.nextInt(2_000_000_000));

            Duration ofOne = one.remaining(moving);
            Duration ofOther = other.remaining(moving);
            assertThat(one.later(other, moving).remaining(moving))
                    .isEqualTo(other.later(one, moving).remaining(moving))
                    .isEqualTo(ofOne.compareTo(ofOther) > 0 ? ofOne : ofOther);
        });
    }
}
