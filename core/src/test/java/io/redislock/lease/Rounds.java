package io.redislock.lease;

/** How many rounds a race loop runs: all of them by default, a tenth with {@code -Dredislock.races=short}. */
final class Rounds {

    private Rounds() {
    }

    static int of(int full) {
        String races = System.getProperty("redislock.races", "full");
        return switch (races) {
            case "", "full" -> full;
            case "short" -> full / 10;
            default -> throw new IllegalArgumentException("redislock.races is \"full\" or \"short\": " + races);
        };
    }
}
