package io.redislock.reactor;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * A caller's place in a {@link WaitQueue}, from its first attempt until it has the lock or gives up. What is not final
 * is guarded by the queue.
 */
final class Place {

    private static final Logger LOG = Loggers.getLogger(Place.class);

    private final WaitQueue queue;
    private final Duration delay;
    @Nullable Place before;
    @Nullable Place after;
    private boolean left;
    private boolean woken;
    private Sinks.@Nullable Empty<Void> waking;

    /** @param delay the first delay of this caller's schedule */
    Place(WaitQueue queue, Duration delay) {
        this.queue = queue;
        this.delay = delay;
    }

    Duration delay() {
        return delay;
    }

    /**
     * Whether this caller is to send its attempt now. Only the first of the queue is. Of the others it counts as busy,
     * or as what the attempt that the first one has under way comes to.
     */
    Turn turn() {
        return queue.turn(this);
    }

    /** Its attempt got the lock. The place is given up. */
    void acquired() {
        queue.acquired(this);
    }

    /** Its attempt was fruitless. */
    void busy(Busy answer) {
        queue.busy(this, answer);
    }

    /** Its attempt got no answer, or one that is of no use. */
    void failed(Throwable failure) {
        queue.failed(failure);
    }

    /** Gives up the place. The next one is woken if there is something to try. */
    void leave() {
        queue.leave(this);
    }

    /** Completes when an attempt is worthwhile before the schedule has one. */
    Mono<Void> woken() {
        synchronized (queue) {
            if (woken) {
                return Mono.empty();
            }
            if (waking == null) {
                waking = Sinks.empty();
            }
            return waking.asMono();
        }
    }

    /** An attempt begins: wake-ups from here on are for the next one. Called by the queue. */
    void begin() {
        woken = false;
        waking = null;
    }

    /** Whether this is the first time. Called by the queue. */
    boolean markLeft() {
        boolean first = !left;
        left = true;
        return first;
    }

    /** Called without the queue's guard, because the attempt is sent in here. */
    void wake() {
        Sinks.Empty<Void> waits;
        synchronized (queue) {
            woken = true;
            waits = waking;
        }
        if (waits != null) {
            emit(waits::tryEmitEmpty);
        }
    }

    /** What a caller's own subscriber throws is nothing to whoever released the lock, nor to the other callers. */
    static void emit(Runnable emission) {
        try {
            emission.run();
        } catch (Throwable thrown) {
            LOG.warn("A caller who waited for a lock threw when it was told", thrown);
        }
    }
}
