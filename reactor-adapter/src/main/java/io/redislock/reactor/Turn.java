package io.redislock.reactor;

import org.jspecify.annotations.Nullable;

/**
 * What a caller in a {@link WaitQueue} may do when an attempt is due.
 *
 * <pre>
 *   first in the queue           ATTEMPT   sends it
 *   behind one who tries now     SHARED    waits for that one's answer, which counts for both
 *   behind one who waits         busy      is not sent, and counts as busy
 * </pre>
 *
 * @param busy what counts instead of an attempt, if that is known at once
 */
record Turn(@Nullable Busy busy) {

    static final Turn ATTEMPT = new Turn(null);
    static final Turn SHARED = new Turn(null);

    static Turn busy(Busy instead) {
        return new Turn(instead);
    }
}
