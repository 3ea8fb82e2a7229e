package io.redislock;

import java.util.Random;
import java.util.function.Consumer;

/**
 * Repeats a statement about random values. A failure names the seed of its round, and {@code -Dredislock.seed=..} runs
 * that round alone.
 */
public final class RandomRounds {

    private static final String SEED = "redislock.seed";

    private RandomRounds() {
    }

    public static void rounds(int count, Consumer<Random> statement) {
        Long given = Long.getLong(SEED);
        if (given != null) {
            round(given, statement);
            return;
        }
        Random seeds = new Random();
        for (int i = 0; i < count; i++) {
            round(seeds.nextLong(), statement);
        }
    }

    private static void round(long seed, Consumer<Random> statement) {
        try {
            statement.accept(new Random(seed));
        } catch (RuntimeException | AssertionError failure) {
            throw new AssertionError("With -D" + SEED + "=" + seed + ": " + failure.getMessage(), failure);
        }
    }
}
