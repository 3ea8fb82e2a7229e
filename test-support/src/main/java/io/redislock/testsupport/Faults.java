package io.redislock.testsupport;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The switches of a {@link FaultProxy}. Test threads set them, the event loops of its connections read them. */
final class Faults {

    private volatile boolean refusing;
    private volatile boolean blackhole;
    private volatile Duration requestDelay = Duration.ZERO;
    private volatile Duration replyDelay = Duration.ZERO;
    private final AtomicReference<@Nullable LostReplies> lostReplies = new AtomicReference<>();

    boolean refusing() {
        return refusing;
    }

    void refusing(boolean refuse) {
        refusing = refuse;
    }

    boolean blackhole() {
        return blackhole;
    }

    void blackhole(boolean on) {
        blackhole = on;
    }

    Duration requestDelay() {
        return requestDelay;
    }

    void requestDelay(Duration delay) {
        requestDelay = notNegative(delay);
    }

    Duration replyDelay() {
        return replyDelay;
    }

    void replyDelay(Duration delay) {
        replyDelay = notNegative(delay);
    }

    void loseReplies(int replies) {
        if (replies < 0) {
            throw new IllegalArgumentException("A number of replies, not " + replies);
        }
        lostReplies.set(replies == 0 ? null : new LostReplies(replies));
    }

    /** The order to lose replies, if there is one and it is, or now becomes, this connection's. */
    @Nullable LostReplies lostRepliesOf(Object connection) {
        LostReplies lost = lostReplies.get();
        return lost != null && lost.isFor(connection) ? lost : null;
    }

    /** The order is carried out, or the connection it was for is gone. */
    void forget(LostReplies lost) {
        lostReplies.compareAndSet(lost, null);
    }

    /** Forgets the order that a connection had begun to carry out, for it is gone. */
    void forgetLostRepliesOf(Object connection) {
        LostReplies lost = lostReplies.get();
        if (lost != null && lost.isHeldBy(connection)) {
            forget(lost);
        }
    }

    void reset() {
        refusing = false;
        blackhole = false;
        requestDelay = Duration.ZERO;
        replyDelay = Duration.ZERO;
        lostReplies.set(null);
    }

    private static Duration notNegative(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("A delay cannot be negative: " + delay);
        }
        return delay;
    }

    /**
     * The order to discard some replies and then cut. It belongs to the first connection that has a reply: were the
     * replies of several discarded, those that are not cut would read every later reply as that of an earlier command.
     */
    static final class LostReplies {

        private final AtomicReference<@Nullable Object> connection = new AtomicReference<>();
        private int remaining;

        LostReplies(int replies) {
            remaining = replies;
        }

        boolean isFor(Object candidate) {
            return connection.compareAndSet(null, candidate) || isHeldBy(candidate);
        }

        boolean isHeldBy(Object candidate) {
            return connection.get() == candidate;
        }

        /** Counts one reply, on the event loop of the connection. Whether it was the last. */
        boolean countDown() {
            return --remaining == 0;
        }
    }
}
