package io.redislock;

import java.io.IOException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class LockUnavailableExceptionTest {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void tellsWhetherTheCommandMayHaveRun(boolean outcomeUnknown) {
        assertThat(new LockUnavailableException("jobs:nightly", "no answer", null, outcomeUnknown).outcomeUnknown())
                .isEqualTo(outcomeUnknown);
    }

    @Test
    void carriesTheClientsErrorAsItsCause() {
        IOException reset = new IOException("reset");

        assertThat(new LockUnavailableException("jobs:nightly", "no answer", reset, true)).hasCause(reset);
    }

    @Test
    void needsNoCause() {
        assertThat(new LockUnavailableException("jobs:nightly", "no answer", null, true)).hasNoCause();
    }

    @Test
    void messageIsTheOneGiven() {
        assertThat(new LockUnavailableException("jobs:nightly", "no answer in 2000 ms", null, true))
                .hasMessage("no answer in 2000 ms");
    }

    /** Other than a busy lock this is trouble, and somebody will look for where it came up. */
    @Test
    void hasAStackTrace() {
        assertThat(new LockUnavailableException("jobs:nightly", "no answer", null, true).getStackTrace()).isNotEmpty();
    }
}
