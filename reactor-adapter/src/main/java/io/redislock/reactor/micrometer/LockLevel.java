package io.redislock.reactor.micrometer;

import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.micrometer.core.instrument.MeterRegistry;

/**
 * How many locks of one name are held, and waited for, now: what the gauges read.
 *
 * <p>There is one for all listeners of a registry. A registry keeps the gauge that it was given first, so with one for
 * each listener the locks of the second would not be seen. And it holds what a gauge reads weakly: this lives as long
 * as the registry does.
 */
final class LockLevel {

    /** Values must not refer to their key, or it would never go. */
    private static final Map<MeterRegistry, Map<String, LockLevel>> OF_REGISTRY = new WeakHashMap<>();

    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();

    private LockLevel() {
    }

    static LockLevel of(MeterRegistry registry, String lock) {
        synchronized (OF_REGISTRY) {
            return OF_REGISTRY.computeIfAbsent(registry, first -> new HashMap<>())
                    .computeIfAbsent(lock, first -> new LockLevel());
        }
    }

    /** The end of a short lease may be told by a timer's thread before its beginning is told by another. */
    int held() {
        return Math.max(0, held.get());
    }

    int waiting() {
        return Math.max(0, waiting.get());
    }

    void heldOneMore() {
        held.incrementAndGet();
    }

    void heldOneLess() {
        held.decrementAndGet();
    }

    void waitingOneMore() {
        waiting.incrementAndGet();
    }

    void waitingOneLess() {
        waiting.decrementAndGet();
    }
}
