package io.redislock.protocol;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TakeReplyTest {

    @ParameterizedTest
    @CsvSource({"1, TAKEN", "0, BUSY", "2, BUSY_WITH_EQUAL_VALUE"})
    void answerIsParsed(long answer, TakeReply expected) {
        assertThat(TakeReply.parse(answer)).isSameAs(expected);
    }

    @Test
    void thereAreNoOtherReplies() {
        assertThat(TakeReply.values()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 3, 1L << 32 | 1, Long.MIN_VALUE, Long.MAX_VALUE})
    void unknownAnswerIsRefused(long answer) {
        assertThatIllegalArgumentException().isThrownBy(() -> TakeReply.parse(answer))
                .withMessageContaining("take").withMessageEndingWith(": " + answer);
    }
}
