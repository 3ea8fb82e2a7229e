package io.redislock.protocol;

/**
 * What counts as a fencing token: a positive number that Lua, whose numbers are doubles, can count one by one. Minted
 * ones begin at the server's time in microseconds, so they last until the year 2255.
 */
public final class FencingTokens {

    /** The greatest: from 2^53 on, a double is not always one more than the one before. */
    public static final long MAX = (1L << 53) - 1;

    private FencingTokens() {
    }

    /**
     * Refuses what was never minted.
     *
     * @param argument the caller's name for it, for the message
     * @return the same
     */
    public static long require(String argument, long token) {
        if (token <= 0 || token > MAX) {
            throw new IllegalArgumentException(argument + " must be a fencing token, from 1 to 2^53 - 1: " + token);
        }
        return token;
    }
}
