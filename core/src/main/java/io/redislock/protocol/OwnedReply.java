package io.redislock.protocol;

/**
 * The answer to a script that acts only for the owner: {@link LockScript#RELEASE}, {@link LockScript#EXTEND} and
 * {@link LockScript#PROLONG}.
 */
public enum OwnedReply {

    /** The key held our value, and the script has done what it does. */
    DONE,
    /** There was no such key. */
    ABSENT,
    /** The key held another value. */
    OTHER;

    /**
     * @param answer 1, 0 and -1 in the order above
     */
    public static OwnedReply parse(long answer) {
        if (answer == 1) {
            return DONE;
        }
        if (answer == 0) {
            return ABSENT;
        }
        if (answer == -1) {
            return OTHER;
        }
        throw new IllegalArgumentException("No answer of a script for owners: " + answer);
    }
}
