package io.redislock;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class LockLostExceptionTest {

    private final LockLostException lost = new LockLostException("jobs:nightly", LockLoss.TAKEN_OVER);

    @ParameterizedTest
    @EnumSource(LockLoss.class)
    void tellsWhyAndNamesItInTheMessage(LockLoss reason) {
        LockLostException exception = new LockLostException("jobs:nightly", reason);

        assertThat(exception.reason()).isEqualTo(reason);
        assertThat(exception).hasMessageContaining("\"jobs:nightly\"").hasMessageContaining(reason.name());
    }

    @ParameterizedTest
    @EnumSource(names = {"DELETED", "TAKEN_OVER"})
    void messageWarnsOfASecondOwnerWhereThereMayHaveBeenOne(LockLoss reason) {
        assertThat(new LockLostException("jobs:nightly", reason)).hasMessageContaining("may have been at work");
    }

    @ParameterizedTest
    @EnumSource(names = {"EXPIRED", "MAX_HOLD_REACHED", "CLOSED"})
    void messageDoesNotWarnOfASecondOwnerWhereTheWorkWasStoppedInTime(LockLoss reason) {
        assertThat(new LockLostException("jobs:nightly", reason).getMessage()).doesNotContain("at work");
    }

    @Test
    void keyIsEscapedInTheMessageOnly() {
        LockLostException broken = new LockLostException("jobs\nnightly", LockLoss.EXPIRED);

        assertThat(broken.key()).isEqualTo("jobs\nnightly");
        assertThat(broken.getMessage()).doesNotContain("\n");
    }

    /** Trouble, and somebody will look for where it came up. */
    @Test
    void hasAStackTrace() {
        assertThat(lost.getStackTrace()).isNotEmpty();
    }

    @Test
    void hasNoCause() {
        assertThat(lost).hasNoCause();
    }

    @ParameterizedTest
    @EnumSource(LockLoss.class)
    void reasonSurvivesSerialisation(LockLoss reason) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new LockLostException("jobs:nightly", reason));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isInstanceOfSatisfying(LockLostException.class,
                    read -> assertThat(read.reason()).isEqualTo(reason));
        }
    }
}
