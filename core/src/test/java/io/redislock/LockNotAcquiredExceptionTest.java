package io.redislock;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LockNotAcquiredExceptionTest {

    private final LockNotAcquiredException held =
            new LockNotAcquiredException("jobs:nightly", 4, Duration.ofMillis(1_400), Duration.ofSeconds(12));

    private final LockNotAcquiredException heldWithoutExpiry =
            new LockNotAcquiredException("jobs:nightly", 1, Duration.ofMillis(3), null);

    @Test
    void accessorsTellWhatWasTried() {
        assertThat(held.attempts()).isEqualTo(4);
        assertThat(held.waited()).isEqualTo(Duration.ofMillis(1_400));
        assertThat(held.holderRemaining()).contains(Duration.ofSeconds(12));
    }

    @Test
    void remainingTimeThatNobodyKnowsIsEmpty() {
        assertThat(heldWithoutExpiry.holderRemaining()).isEmpty();
    }

    @Test
    void messageNamesTheKeyTheAttemptsAndTheTimes() {
        assertThat(held).hasMessageContaining("\"jobs:nightly\"")
                .hasMessageContaining("4 attempts in 1400 ms")
                .hasMessageContaining("12000 ms left");
    }

    @Test
    void messageOfASingleAttemptIsSingular() {
        assertThat(heldWithoutExpiry).hasMessageContaining("1 attempt in 3 ms");
    }

    @Test
    void messageInventsNoRemainingTime() {
        assertThat(heldWithoutExpiry.getMessage()).doesNotContain("left").doesNotContain("null");
    }

    /** An everyday outcome: filling in a stack would be most of its cost. */
    @Test
    void carriesNoStackTraceEvenWhenThrown() {
        try {
            throw held;
        } catch (LockNotAcquiredException caught) {
            assertThat(caught.getStackTrace()).isEmpty();
        }
    }

    @Test
    void hasNoCause() {
        assertThat(held).hasNoCause();
    }
}
