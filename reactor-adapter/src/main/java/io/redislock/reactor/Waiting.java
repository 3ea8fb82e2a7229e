package io.redislock.reactor;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import io.redislock.LockOptions;
import io.redislock.lease.LeaseClock;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Schedulers;

/**
 * The pauses between the attempts of one acquisition.
 *
 * <pre>
 *   busy ---- delay of the backoff -----------> again
 *   busy ---- woken within that delay --------> again, in addition: the same delay goes on
 *   busy ---- end of the wait comes first ----> again, for the last time
 *   busy, retries exhausted or wait over -----> no pause
 *   busy ---- told to stop -------------------> over
 * </pre>
 * Of all that may end a pause one does, by compare-and-set. A pause may also be for the answer to the attempt that
 * another caller has under way, see {@link Turn}; it has a limit of its own.
 */
final class Waiting {

    /** How a pause ended. */
    enum End { SCHEDULED, WOKEN, PROMOTED, ANSWERED, OUT_OF_TIME, STOPPED }

    /** Told when a pause has ended, on whatever thread ended it. */
    interface Listener {

        void onEnd(End end);
    }

    /** Far beyond any wait, and still countable. */
    private static final Duration ENDLESS = Duration.ofDays(10_000);

    private static final AtomicReferenceFieldUpdater<Waiting, Pause> CURRENT =
            AtomicReferenceFieldUpdater.newUpdater(Waiting.class, Pause.class, "current");

    private final LockOptions options;
    private final LeaseClock clock;
    private final long startNanos;
    private final Listener listener;
    private final Backoff backoff;
    private volatile @Nullable Pause current;
    private volatile boolean stopped;
    private @Nullable Long delayEndNanos;

    /** @param startNanos when the wait began, by the clock */
    Waiting(LockOptions options, LeaseClock clock, long startNanos, Listener listener) {
        this.options = options;
        this.clock = clock;
        this.startNanos = startNanos;
        this.listener = listener;
        this.backoff = new Backoff(options);
    }

    /** Begins the pause after a busy attempt. Returns false when there is none because the wait is over. */
    boolean pause(Place place) {
        long now = clock.nanoTime();
        long left = left(now);
        if (left <= 0) {
            return false;
        }
        if (delayEndNanos == null) {
            Duration delay = backoff.next();
            if (delay == null) {
                return false;
            }
            delayEndNanos = now + delay.toNanos();
        }
        // Behind others an attempt that is not counted changes nothing, so nobody need wake up for it.
        boolean idle = options.maxRetries() == Long.MAX_VALUE && !place.isFirst();
        Pause pause = begin(idle ? left : Math.min(left, delayEndNanos - now), End.SCHEDULED, idle);
        if (place.isWoken()) {
            end(pause, End.WOKEN);
        } else if (idle && place.isFirst()) {
            end(pause, End.PROMOTED);
        }
        return true;
    }

    /** Begins the pause for the answer to another caller's attempt. */
    void pauseForAnswer(Place place) {
        Pause pause = begin(options.commandTimeout().toNanos(), End.OUT_OF_TIME, false);
        if (place.answer() != null) {
            end(pause, End.ANSWERED);
        }
    }

    /** Ends the pause that there is now, if any. */
    void end(End how) {
        Pause pause = current;
        if (pause != null && pause.mayEnd(how)) {
            end(pause, how);
        }
    }

    /** Ends the pause, and every later one at once. */
    void stop() {
        stopped = true;
        end(End.STOPPED);
    }

    private Pause begin(long nanos, End atItsEnd, boolean idle) {
        Pause pause = new Pause(atItsEnd, idle);
        current = pause;
        if (stopped) {
            end(pause, End.STOPPED);
        } else if (nanos != Long.MAX_VALUE) {
            pause.timer = Schedulers.parallel().schedule(pause, Math.max(0, nanos), TimeUnit.NANOSECONDS);
            if (current != pause) {
                pause.timer.dispose(); // ended in between
            }
        }
        return pause;
    }

    private void end(Pause pause, End how) {
        if (CURRENT.compareAndSet(this, pause, null)) {
            pause.timer.dispose();
            if (how == End.SCHEDULED || pause.idle) {
                delayEndNanos = null; // who was idle begins anew: its delay ended long ago, unseen
            }
            listener.onEnd(how);
        }
    }

    /** Of the whole wait, in nanoseconds; {@link Long#MAX_VALUE} when only retries bound it. */
    private long left(long now) {
        Duration limit = options.waitAtMost().orElse(null);
        if (limit == null) {
            return Long.MAX_VALUE;
        }
        Duration left = limit.minusNanos(now - startNanos);
        return left.compareTo(ENDLESS) < 0 ? left.toNanos() : ENDLESS.toNanos();
    }

    private final class Pause implements Runnable {

        private final End atItsEnd;
        private final boolean idle;
        private volatile Disposable timer = Disposables.disposed();

        Pause(End atItsEnd, boolean idle) {
            this.atItsEnd = atItsEnd;
            this.idle = idle;
        }

        /** News that belong to another kind of pause, or to an earlier one, do not end this one. */
        boolean mayEnd(End how) {
            return switch (how) {
                case STOPPED -> true;
                case ANSWERED -> atItsEnd == End.OUT_OF_TIME;
                case PROMOTED -> idle;
                default -> atItsEnd == End.SCHEDULED;
            };
        }

        @Override
        public void run() {
            end(this, atItsEnd);
        }
    }
}
