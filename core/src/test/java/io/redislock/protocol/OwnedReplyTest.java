package io.redislock.protocol;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class OwnedReplyTest {

    @ParameterizedTest
    @CsvSource({"1, DONE", "0, ABSENT", "-1, OTHER"})
    void answerIsParsed(long answer, OwnedReply expected) {
        assertThat(OwnedReply.parse(answer)).isSameAs(expected);
    }

    @Test
    void thereAreNoOtherReplies() {
        assertThat(OwnedReply.values()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {-2, 2, 1L << 32 | 1, Long.MIN_VALUE, Long.MAX_VALUE})
    void unknownAnswerIsRefused(long answer) {
        assertThatIllegalArgumentException().isThrownBy(() -> OwnedReply.parse(answer))
                .withMessageContaining("owners").withMessageEndingWith(": " + answer);
    }
}
