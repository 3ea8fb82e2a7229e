package io.redislock.reactor;

import io.redislock.LockLoss;
import io.redislock.protocol.OwnedReply;
import io.redislock.reactor.store.Answer;
import org.jspecify.annotations.Nullable;

/** What is known of the release of a lease. */
enum ReleaseOutcome {

    /** The server deleted the key for us. */
    DELETED,
    /** The key was gone before, for certain. */
    ABSENT,
    /** The key was another owner's before, for certain. */
    OTHER,
    /** The key is not ours now, but a copy of the release may have deleted it. */
    UNCONFIRMED,
    /** There was no answer in time. */
    UNANSWERED;

    /** The loss that it proves, if the deadline has not passed; {@code null} if it proves none. */
    @Nullable LockLoss loss() {
        return switch (this) {
            case ABSENT -> LockLoss.DELETED;
            case OTHER -> LockLoss.TAKEN_OVER;
            case DELETED, UNCONFIRMED, UNANSWERED -> null;
        };
    }

    static ReleaseOutcome of(Answer<OwnedReply> answer) {
        return switch (answer.reply()) {
            case DONE -> DELETED;
            case ABSENT -> answer.resent() ? UNCONFIRMED : ABSENT;
            // The key was free in between, and our first copy may be the reason.
            case OTHER -> answer.resent() ? UNCONFIRMED : OTHER;
        };
    }
}
