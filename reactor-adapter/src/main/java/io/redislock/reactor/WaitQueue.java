package io.redislock.reactor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Schedulers;

/**
 * The callers of this process who want one key, in the order in which they came. Only the first of them talks to Redis;
 * what it learns counts for all.
 *
 * <pre>
 *                                    busy
 *      first attempt ----> TRYING -----------> PARKED
 *                          |  ^                  |   its schedule; the key changed; released here;
 *               acquired:  |  +------------------+   the holder's lease ended; promoted
 *           the next one   v
 *           is first now
 * </pre>
 * A change while an attempt is under way makes another follow it. A release by this process and the first one's attempt
 * are sent back to back; after a {@link LocalRun} of that the queue pauses, so that other processes get their turn. One
 * who is promoted tries at once, unless the lock is known to be busy: held by this process, or watched by the server.
 * While this process holds it nothing is sent at all: an attempt under way would keep the release from taking one
 * along.
 *
 * <p>State is guarded by this object's monitor, for a few instructions at a time, in which nothing foreign is called:
 * {@link QueueNews} tells the callers afterwards.
 */
final class WaitQueue {

    /** PTTL counts whole milliseconds, and a key is gone when they are over. */
    private static final long PAST_THE_END_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long NEVER = Long.MAX_VALUE;

    private final WaitQueues queues;
    private final String key;
    private final QueueNews news = new QueueNews(this);
    private final PlaceList places = new PlaceList();
    private boolean gone;
    private Disposable timer = Disposables.disposed();

    private boolean trying;
    private boolean changedWhileTrying;
    /** When the key was first heard to have changed since the last attempt. */
    private @Nullable Long changedAtNanos;
    private long triedAtNanos;
    private Reason triedFor = Reason.SCHEDULE;
    private Reason wokenFor = Reason.SCHEDULE;
    private @Nullable List<Place> sharers;

    /** This process holds the lock, as far as is known. */
    private boolean heldHere;
    /** The last answer was busy, and nothing is known to have changed since. */
    private boolean knownBusy;
    private @Nullable Long holderEndNanos;
    private boolean pausing;
    private long pauseEndNanos;
    private long roundTripNanos;
    private @Nullable WakePace pace;
    private @Nullable LocalRun run;

    /** Why an attempt is made. */
    private enum Reason { SCHEDULE, CHANGE, HANDOVER, PAUSE_IS_OVER }

    WaitQueue(WaitQueues queues, String key) {
        this.queues = queues;
        this.key = key;
    }

    /** False when everybody has left, and the queue is no longer used. */
    synchronized boolean add(Place place) {
        if (gone) {
            return false;
        }
        boolean pollMore = places.add(place);
        if (pollMore && knownBusy && !queues.watched()) {
            armTimer(now(), triedAtNanos);
        }
        return true;
    }

    void leave(Place place) {
        boolean last;
        synchronized (this) {
            if (!place.markLeft()) {
                return;
            }
            boolean wasFirst = place == places.first();
            places.remove(place);
            last = places.size() == 0;
            if (last) {
                gone = true;
                timer.dispose();
            } else if (wasFirst) {
                trying = false;
                promote(now());
            }
        }
        if (last) {
            queues.remove(key, this);
        }
        news.tell();
    }

    /** See {@link Place#turn}. */
    synchronized Turn turn(Place place) {
        if (place == places.first() && !isPausing() && !isKnownToBeHeldHere()) {
            trying = true;
            changedWhileTrying = false;
            changedAtNanos = null;
            triedAtNanos = now();
            triedFor = wokenFor;
            wokenFor = Reason.SCHEDULE;
            timer.dispose(); // what it was for this attempt does
            news.attemptBegins();
            place.begin();
            return Turn.ATTEMPT;
        }
        place.begin();
        if (!trying) {
            return Turn.busy(new Busy(holderRemaining()));
        }
        if (sharers == null) {
            sharers = new ArrayList<>();
        }
        sharers.add(place);
        return Turn.SHARED;
    }

    /** The timer ends the pause; should it be lost, time does. */
    private boolean isPausing() {
        if (pausing && now() - pauseEndNanos >= 0) {
            pausing = false;
            wokenFor = Reason.PAUSE_IS_OVER;
        }
        return pausing;
    }

    /** Who is not told of changes must look, because the lock may have been taken from its holder here. */
    private boolean isKnownToBeHeldHere() {
        return heldHere && queues.watched();
    }

    synchronized boolean isFirst(Place place) {
        return place == places.first();
    }

    void acquired(Place place) {
        synchronized (this) {
            trying = false;
            heldHere = true;
            knownBusy = false;
            holderEndNanos = null;
            pace = null;
            if (places.size() > 1 || run != null) {
                countGrant();
            }
            answerSharers(new Busy(null));
        }
        leave(place);
    }

    private void countGrant() {
        if (triedFor == Reason.HANDOVER) {
            run().handedOn(now());
            return;
        }
        if (triedFor == Reason.PAUSE_IS_OVER) {
            run().nobodyElse();
        }
        run().begin(now());
    }

    void busy(Place place, Busy answer) {
        synchronized (this) {
            trying = false;
            long now = now();
            roundTripNanos = now - triedAtNanos;
            Duration remaining = answer.holderRemaining();
            holderEndNanos = remaining == null ? null : now + remaining.toNanos();
            if (pace == null) {
                pace = new WakePace(place.delay());
            }
            boolean another = pace.busy(now, holderEndNanos, triedFor == Reason.CHANGE);
            if (!heldHere && run != null) {
                run.somebodyElse();
                if (another) {
                    run.anotherHolder();
                }
            }
            answerSharers(answer);
            knownBusy = !changedWhileTrying;
            if (changedWhileTrying) {
                wakeForAChange(now);
            } else {
                armTimer(now, now);
            }
        }
        news.tell();
    }

    /** Whoever made the attempt leaves the queue next. */
    void failed(Throwable failure) {
        synchronized (this) {
            trying = false;
            heldHere = false;
            knownBusy = false;
            answerSharers(failure);
        }
        news.tell();
    }

    /** Somebody wrote the key, or may have. */
    void changed() {
        synchronized (this) {
            heldHere = false;
            knownBusy = false;
            if (trying) {
                changedWhileTrying = true;
            } else if (places.first() != null && !pausing) {
                wakeForAChange(now());
            }
        }
        news.tell();
    }

    /** This process has just sent its release. */
    void releaseSent() {
        synchronized (this) {
            heldHere = false;
            knownBusy = false;
            if (trying) {
                changedWhileTrying = true;
            } else if (places.first() != null && !pausing) {
                long now = now();
                if (run().mayGoOn(now)) {
                    wake(Reason.HANDOVER);
                } else {
                    pausing = true;
                    long pause = LocalRun.pauseNanos(roundTripNanos);
                    pauseEndNanos = now + pause;
                    schedule(pause);
                }
            }
        }
        news.tell();
    }

    /**
     * A release of this process was answered. An attempt that is under way was sent after it; one that was answered
     * already ran before it all the same, because the release had to be sent again, and was fruitless.
     */
    void releaseAnswered() {
        synchronized (this) {
            heldHere = false;
            if (places.first() != null && !trying && !pausing) {
                knownBusy = false;
                wakeForAChange(now());
            }
        }
        news.tell();
    }

    /** The server does not tell changes any more. */
    void unwatched() {
        synchronized (this) {
            if (places.first() != null && !trying && !pausing && wokenFor != Reason.CHANGE) {
                long now = now();
                armTimer(now, now);
            }
        }
    }

    private void promote(long now) {
        news.promote(places.first());
        if (pausing) {
            return; // the timer wakes it
        }
        if (heldHere) {
            if (!queues.watched()) {
                armTimer(now, now);
            }
            return; // the release wakes it
        }
        boolean stillBusy = knownBusy && (holderEndNanos == null || holderEndNanos - now > 0);
        if (!stillBusy) {
            wake(Reason.SCHEDULE);
        } else if (!queues.watched()) {
            armTimer(now, triedAtNanos);
        }
    }

    private void wakeForAChange(long now) {
        long gap = Math.max(pace == null ? 0 : pace.gapLeft(now), giveWayLeft(now));
        if (gap == 0) {
            wake(Reason.CHANGE);
        } else {
            wokenFor = Reason.CHANGE;
            schedule(Math.min(gap, untilHolderEnds(now)));
        }
    }

    /** Counted from the first news since the last attempt, so that further news do not prolong it. */
    private long giveWayLeft(long now) {
        Long since = changedAtNanos;
        if (since == null) {
            since = now;
            changedAtNanos = since;
        }
        return run == null ? 0 : run.giveWayNanos(since, roundTripNanos) - (now - since);
    }

    private void wake(Reason reason) {
        wokenFor = reason;
        news.wake(places.first());
    }

    /**
     * For the end of the holder's lease; where nobody tells changes, also for the next poll. One who waits alone polls
     * by its own schedule.
     */
    private void armTimer(long now, long lastTryNanos) {
        long left = untilHolderEnds(now);
        Duration shortest = places.shortestDelay();
        if (!queues.watched() && places.size() > 1 && shortest != null) {
            left = Math.min(left, jittered(shortest.toNanos()) - (now - lastTryNanos));
        }
        schedule(Math.max(0, left));
    }

    private long untilHolderEnds(long now) {
        return holderEndNanos == null ? NEVER : Math.max(0, holderEndNanos - now + PAST_THE_END_NANOS);
    }

    private void schedule(long nanos) {
        timer.dispose();
        if (nanos != NEVER) {
            timer = Schedulers.parallel().schedule(this::onTimer, nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void onTimer() {
        synchronized (this) {
            if (places.first() == null || trying) {
                return;
            }
            wake(pausing ? Reason.PAUSE_IS_OVER : wokenFor);
            pausing = false;
        }
        news.tell();
    }

    private void answerSharers(Throwable outcome) {
        List<Place> waiting = sharers;
        if (waiting != null) {
            sharers = null;
            news.answer(waiting, outcome);
        }
    }

    private LocalRun run() {
        LocalRun existing = run;
        if (existing == null) {
            existing = new LocalRun();
            existing.begin(now());
            run = existing;
        }
        return existing;
    }

    private @Nullable Duration holderRemaining() {
        return holderEndNanos == null ? null : Duration.ofNanos(Math.max(0, holderEndNanos - now()));
    }

    private long now() {
        return queues.clock().nanoTime();
    }

    /** Up to a quarter more or less, so that processes do not poll in step. */
    private static long jittered(long nanos) {
        return nanos - nanos / 4 + ThreadLocalRandom.current().nextLong(nanos / 2 + 1);
    }
}
