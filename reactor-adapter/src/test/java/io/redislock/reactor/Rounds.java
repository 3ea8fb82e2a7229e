package io.redislock.reactor;

/**
 * How many rounds a race loop runs: a quarter of what it is made for by default, a tenth with
 * {@code -Dredislock.races=short}, and all of it with {@code full}.
 */
final class Rounds {

    private Rounds() {
    }

    static boolean areFull() {
        return of(4) == 4;
    }

    static int of(int full) {
        String races = System.getProperty("redislock.races", "usual");
        return switch (races) {
            case "full" -> full;
            case "", "usual" -> full / 4;
            case "short" -> full / 10;
            default -> throw new IllegalArgumentException("redislock.races is \"full\", \"usual\" or \"short\": " + races);
        };
    }
}
