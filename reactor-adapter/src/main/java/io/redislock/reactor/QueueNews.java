package io.redislock.reactor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * What the callers in a {@link WaitQueue} are to be told. It is noted under the guard of the queue and told outside it,
 * by one thread at a time and one after the other, so that a thousand callers who leave one by one do not nest.
 */
final class QueueNews {

    private final Object guard;
    private final AtomicInteger telling = new AtomicInteger();
    private @Nullable Place toWake;
    private @Nullable Place toPromote;
    private final Deque<Place> toAnswer = new ArrayDeque<>(0);

    /** @param guard what guards the queue; held when anything is noted here */
    QueueNews(Object guard) {
        this.guard = guard;
    }

    void wake(@Nullable Place first) {
        toWake = first;
    }

    /** Whatever somebody was to be woken for, the attempt that begins now comes after it. */
    void attemptBegins() {
        toWake = null;
    }

    void promote(@Nullable Place first) {
        toPromote = first;
    }

    void answer(List<Place> sharers, Throwable outcome) {
        sharers.forEach(place -> place.setAnswer(outcome));
        toAnswer.addAll(sharers);
    }

    /** Tells what is noted, or leaves it to the thread that is telling already. */
    void tell() {
        if (telling.getAndIncrement() != 0) {
            return;
        }
        int missed = 1;
        do {
            for (Place answered = takeToAnswer(); answered != null; answered = takeToAnswer()) {
                answered.tellAnswer();
            }
            Place woken = takeToWake();
            if (woken != null) {
                woken.wake();
            }
            Place promoted = takeToPromote();
            if (promoted != null) {
                promoted.promote();
            }
            missed = telling.addAndGet(-missed);
        } while (missed != 0);
    }

    private @Nullable Place takeToAnswer() {
        synchronized (guard) {
            return toAnswer.poll();
        }
    }

    private @Nullable Place takeToWake() {
        synchronized (guard) {
            Place woken = toWake;
            toWake = null;
            return woken;
        }
    }

    private @Nullable Place takeToPromote() {
        synchronized (guard) {
            Place promoted = toPromote;
            toPromote = null;
            return promoted;
        }
    }
}
