package io.redislock.protocol;

/** The answer to {@link LockScript#TAKE}. */
public enum TakeReply {

    /** The key was absent and now holds our value. */
    TAKEN,
    /** The key holds another value. */
    BUSY,
    /** The key holds an equal value: another caller's, or our own if this command has run before. */
    BUSY_WITH_EQUAL_VALUE;

    /**
     * @param answer 1, 0 and 2 in the order above
     */
    public static TakeReply parse(long answer) {
        if (answer == 1) {
            return TAKEN;
        }
        if (answer == 0) {
            return BUSY;
        }
        if (answer == 2) {
            return BUSY_WITH_EQUAL_VALUE;
        }
        throw new IllegalArgumentException("No answer of the take script: " + answer);
    }
}
