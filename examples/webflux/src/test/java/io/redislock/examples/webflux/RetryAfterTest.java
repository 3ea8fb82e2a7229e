package io.redislock.examples.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {

    private static final int DRAWS = 2_000;

    @ParameterizedTest
    @CsvSource({
        "PT0S,     1,  2",
        "PT0.001S, 1,  2",
        "PT1S,     1,  2",
        "PT1.001S, 2,  3",
        "PT5.2S,   6,  9",
        "PT6S,     6,  9",
        "PT20S,   20, 30",
        "PT20.5S, 20, 30",
        "PT240H,  20, 30",
    })
    void allSecondsFromTheRemainingLeaseToHalfOfItMoreAreGivenAndNoOthers(Duration remaining, long least, long most) {
        Set<Long> drawn = new TreeSet<>();
        for (int i = 0; i < DRAWS; i++) {
            drawn.add(RetryAfter.seconds(remaining));
        }

        assertThat(drawn).hasSize((int) (most - least + 1)).contains(least, most);
    }
}
