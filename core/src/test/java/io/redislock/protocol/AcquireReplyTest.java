package io.redislock.protocol;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class AcquireReplyTest {

    @Test
    void minusThreeIsAcquired() {
        AcquireReply reply = AcquireReply.parse(-3);

        assertThat(reply).isEqualTo(AcquireReply.ACQUIRED);
        assertThat(reply.acquired()).isTrue();
        assertThat(reply.holderRemaining()).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 30_000, Long.MAX_VALUE})
    void pttlOfTheHolderIsBusyForThatLong(long millis) {
        AcquireReply reply = AcquireReply.parse(millis);

        assertThat(reply).isEqualTo(AcquireReply.busy(Duration.ofMillis(millis)));
        assertThat(reply.acquired()).isFalse();
        assertThat(reply.holderRemaining()).isEqualTo(Duration.ofMillis(millis));
    }

    @Test
    void minusOneIsBusyWithoutAnEnd() {
        AcquireReply reply = AcquireReply.parse(-1);

        assertThat(reply).isEqualTo(AcquireReply.busy(null));
        assertThat(reply.acquired()).isFalse();
        assertThat(reply.holderRemaining()).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 1_700_000_000_000_000L, (1L << 53) - 1})
    void whatIsBelowMinusThreeIsTheFencingTokenNegated(long token) {
        AcquireReply reply = AcquireReply.parse(-token);

        assertThat(reply).isEqualTo(AcquireReply.fenced(token));
        assertThat(reply.acquired()).isTrue();
        assertThat(reply.fencingToken()).isEqualTo(token);
        assertThat(reply.holderRemaining()).isNull();
    }

    @Test
    void withoutAFencingTokenItHasNone() {
        assertThat(AcquireReply.parse(-3).fencingToken()).isEqualTo(AcquireReply.NO_FENCING_TOKEN);
        assertThat(AcquireReply.parse(5).fencingToken()).isEqualTo(AcquireReply.NO_FENCING_TOKEN);
    }

    @Test
    void busyHasNoFencingToken() {
        assertThatIllegalArgumentException().isThrownBy(() -> new AcquireReply(false, null, 7))
                .withMessageEndingWith(": 7");
    }

    /** PTTL answers -2 for an absent key, but the script has just read the key: time stands still inside a script. */
    @ParameterizedTest
    @ValueSource(longs = {-2, -(1L << 53), Long.MIN_VALUE})
    void unknownAnswerIsRefused(long answer) {
        assertThatIllegalArgumentException().isThrownBy(() -> AcquireReply.parse(answer))
                .withMessageContaining("acquire").withMessageEndingWith(": " + answer);
    }
}
