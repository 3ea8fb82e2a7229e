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

    /** PTTL answers -2 for an absent key, but the script has just read the key: time stands still inside a script. */
    @ParameterizedTest
    @ValueSource(longs = {-2, -4, Long.MIN_VALUE})
    void unknownAnswerIsRefused(long answer) {
        assertThatIllegalArgumentException().isThrownBy(() -> AcquireReply.parse(answer))
                .withMessageContaining("acquire").withMessageEndingWith(": " + answer);
    }
}
