package io.redislock.protocol;

/** The answer to {@link LockScript#SET_FENCED} and {@link LockScript#DELETE_FENCED}. */
public enum FencedReply {

    /** The script has done what it does. */
    ACCEPTED,
    /** A greater fencing token was accepted before, and nothing was done. */
    STALE;

    /**
     * @param answer 1 and 0 in the order above
     */
    public static FencedReply parse(long answer) {
        if (answer == 1) {
            return ACCEPTED;
        }
        if (answer == 0) {
            return STALE;
        }
        throw new IllegalArgumentException("No answer of a fenced write: " + answer);
    }
}
