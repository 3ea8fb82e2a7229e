package io.redislock.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Lets several be measured in turns, so that whatever else the machine does meets all of them alike. The first round
 * warms up and is thrown away; in each of the others somebody else begins.
 */
final class Rounds {

    private Rounds() {}

    /** What each gave in each of its turns that count. */
    static <K, V> Map<K, List<V>> interleaved(List<K> contestants, int rounds, Function<K, V> turn) {
        Map<K, List<V>> measured = new LinkedHashMap<>();
        contestants.forEach(contestant -> measured.put(contestant, new ArrayList<>()));
        List<K> order = new ArrayList<>(contestants);
        order.forEach(turn::apply);
        for (int round = 0; round < rounds; round++) {
            order.forEach(contestant -> measured.get(contestant).add(turn.apply(contestant)));
            Collections.rotate(order, -1);
        }
        return measured;
    }
}
