package io.redislock.reactor;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * A caller's place in a {@link WaitQueue}, from its first attempt until it has the lock or gives up. What is not final
 * is guarded by the queue.
 */
final class Place {

    /** Who stands here. Told outside the queue's guard. */
    interface Caller {

        /** An attempt is worthwhile before the schedule has one. */
        void woken();

        /** It has become the first, and nothing is to be tried now. */
        void promoted();

        /** The attempt of another, which it shared, has an outcome: see {@link Place#answer}. */
        void answered();
    }

    private static final Logger LOG = Loggers.getLogger(Place.class);

    private final WaitQueue queue;
    private final Duration delay;
    private final Caller caller;
    @Nullable Place before;
    @Nullable Place after;
    private boolean left;
    private boolean woken;
    private @Nullable Throwable answer;

    /** @param delay the first delay of this caller's schedule */
    Place(WaitQueue queue, Duration delay, Caller caller) {
        this.queue = queue;
        this.delay = delay;
        this.caller = caller;
    }

    Duration delay() {
        return delay;
    }

    /** What to do when an attempt is due. */
    Turn turn() {
        return queue.turn(this);
    }

    /** Its attempt got the lock. The place is given up. */
    void acquired() {
        queue.acquired(this);
    }

    /** Its attempt was fruitless. */
    void busy(Busy result) {
        queue.busy(this, result);
    }

    /** Its attempt got no answer, or one that is of no use. */
    void failed(Throwable failure) {
        queue.failed(failure);
    }

    /** Gives up the place. The next one is woken if there is something to try. */
    void leave() {
        queue.leave(this);
    }

    boolean isFirst() {
        return queue.isFirst(this);
    }

    /** Whether it was woken since its last attempt began. */
    boolean isWoken() {
        synchronized (queue) {
            return woken;
        }
    }

    /** The outcome of the attempt that it shares, {@link Busy} or a failure, once there is one. */
    @Nullable Throwable answer() {
        synchronized (queue) {
            return answer;
        }
    }

    /** An attempt begins, its own or a shared one: news from here on are for the next. Called by the queue. */
    void begin() {
        woken = false;
        answer = null;
    }

    /** Whether this is the first time. Called by the queue. */
    boolean markLeft() {
        boolean first = !left;
        left = true;
        return first;
    }

    void wake() {
        synchronized (queue) {
            woken = true;
        }
        tell(caller::woken);
    }

    void promote() {
        tell(caller::promoted);
    }

    /** Called by the queue. */
    void setAnswer(Throwable outcome) {
        answer = outcome;
    }

    void tellAnswer() {
        tell(caller::answered);
    }

    /** What a caller's own subscriber throws is nothing to whoever released the lock, nor to the other callers. */
    private static void tell(Runnable news) {
        try {
            news.run();
        } catch (Throwable thrown) {
            LOG.warn("A caller who waited for a lock threw when it was told", thrown);
        }
    }
}
