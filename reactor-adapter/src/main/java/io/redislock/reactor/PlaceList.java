package io.redislock.reactor;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/** Places in the order in which they were added; each is added and removed in constant time. Not thread-safe. */
final class PlaceList {

    private @Nullable Place first;
    private @Nullable Place last;
    private int size;
    private @Nullable Duration shortestDelay;
    private int withShortestDelay;

    @Nullable Place first() {
        return first;
    }

    int size() {
        return size;
    }

    /** Returns whether those in here should be polled for more often from now on. */
    boolean add(Place place) {
        if (last == null) {
            first = place;
        } else {
            last.after = place;
            place.before = last;
        }
        last = place;
        size++;
        count(place.delay());
        return size == 2 || withShortestDelay == 1 && place.delay().equals(shortestDelay);
    }

    void remove(Place place) {
        Place before = place.before;
        Place after = place.after;
        if (before == null) {
            first = after;
        } else {
            before.after = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.before = before;
        }
        place.before = null;
        place.after = null;
        size--;
        if (place.delay().equals(shortestDelay) && --withShortestDelay == 0) {
            countAgain();
        }
    }

    /** The shortest delay that a place in here is configured with. */
    @Nullable Duration shortestDelay() {
        return shortestDelay;
    }

    private void count(Duration delay) {
        int compared = shortestDelay == null ? -1 : delay.compareTo(shortestDelay);
        if (compared < 0) {
            shortestDelay = delay;
            withShortestDelay = 1;
        } else if (compared == 0) {
            withShortestDelay++;
        }
    }

    private void countAgain() {
        shortestDelay = null;
        for (Place place = first; place != null; place = place.after) {
            count(place.delay());
        }
    }
}
