package io.redislock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

class RoundsTest {

    @Test
    void everybodyHasATurnInEachRoundAndSomebodyElseBegins() {
        List<String> turns = new ArrayList<>();
        Rounds.interleaved(List.of("a", "b", "c"), 3, contestant -> turns.add(contestant));
        assertThat(turns).containsExactly("a", "b", "c", "a", "b", "c", "b", "c", "a", "c", "a", "b");
    }

    @Test
    void theFirstRoundDoesNotCount() {
        int[] turn = {0};
        Map<String, List<Integer>> measured = Rounds.interleaved(List.of("a", "b"), 2, contestant -> ++turn[0]);
        assertThat(measured).containsExactly(Map.entry("a", List.of(3, 6)), Map.entry("b", List.of(4, 5)));
    }
}
