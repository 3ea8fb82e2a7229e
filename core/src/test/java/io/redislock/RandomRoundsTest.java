package io.redislock;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RandomRoundsTest {

    @Test
    void failureNamesTheSeedOfItsRound() {
        List<Long> drawn = new ArrayList<>();

        assertThatThrownBy(() -> RandomRounds.rounds(10, random -> {
            drawn.add(random.nextLong());
            throw new IllegalStateException("broken");
        })).isInstanceOfSatisfying(AssertionError.class, failure -> {
            String seed = failure.getMessage().replaceAll(".*seed=(-?\\d+): broken", "$1");
            assertThat(new Random(Long.parseLong(seed)).nextLong()).isEqualTo(drawn.get(0));
        });
        assertThat(drawn).hasSize(1);
    }
}
