package io.redislock.reactor;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * What is under way and must have ended before the connection is closed: acquisitions, held leases, releases.
 */
final class OpenWork {

    /** Something under way. Told to end, at most a few times, when the locks are closed. */
    interface Item {

        void endSoon();
    }

    private static final Logger LOG = Loggers.getLogger(OpenWork.class);

    private final Set<Item> items = ConcurrentHashMap.newKeySet();
    private final Sinks.Empty<Void> drained = Sinks.empty();
    private volatile boolean closed;
    private volatile boolean over;

    /** Whether nothing new may begin. */
    boolean isClosed() {
        return closed;
    }

    /** Whether the time to end is up, too. */
    boolean isOver() {
        return over;
    }

    /** Registers an item. When the locks are closed already, it is told at once. */
    void begin(Item item) {
        items.add(item);
        if (closed) {
            item.endSoon();
        }
    }

    /** One that throws, through a subscriber of its own, keeps none of the others from being told. */
    private static void tellToEnd(Item item) {
        try {
            item.endSoon();
        } catch (Throwable thrown) {
            LOG.warn("Something under way threw when it was told that the locks are closed", thrown);
        }
    }

    /** The item has ended. */
    void end(Item item) {
        items.remove(item);
        if (closed && items.isEmpty()) {
            drained.tryEmitEmpty();
        }
    }

    /** Tells everything to end. Completes when all has ended, or when the time is up. */
    Mono<Void> close(Duration atMost) {
        closed = true;
        items.forEach(OpenWork::tellToEnd);
        if (items.isEmpty()) {
            drained.tryEmitEmpty();
        }
        // Empty signals only, so nothing can be lost by the race.
        return Mono.firstWithSignal(drained.asMono(), Mono.delay(atMost).then()).doOnTerminate(() -> over = true);
    }
}
