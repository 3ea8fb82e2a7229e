package io.redislock.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/**
 * The heap that locks take which are held or waited for, after garbage collection. The text of the keys, which are the
 * caller's, and the arrays that keep the locks are there before and so not in it.
 */
final class LockFootprint {

    private static final int MOST_PER_TENTH_SECOND = 1_000;

    private LockFootprint() {}

    /** Bytes for each of so many locks on keys of their own. */
    static double held(LockClient client, LockLibrary library, int count) {
        warmUp(client, library);
        String[] keys = keys(library, "held:", count);
        @Nullable Object[] held = new @Nullable Object[count];
        long before = settledHeap();
        Flux.range(0, count)
                .flatMap(i -> client.acquire(keys[i]).doOnNext(grant -> held[i] = grant), 64)
                .blockLast(Duration.ofMinutes(5));
        return perLock(before, count, held, keys);
    }

    /** Bytes for each of so many callers that wait, spread over so many keys that somebody else holds. */
    static double waiting(LockClient client, LockLibrary library, int count, int keyCount) {
        warmUp(client, library);
        String[] keys = keys(library, "queued:", keyCount);
        @Nullable Object[] waiting = new @Nullable Object[count];
        AtomicReference<String> notWaiting = new AtomicReference<>();
        long before = settledHeap();
        for (int i = 0; i < count; i++) {
            Disposable waiter = client.acquire(keys[i % keyCount])
                    .subscribe(grant -> notWaiting.set("got the lock"), failure -> notWaiting.set("got " + failure));
            waiting[i] = waiter;
            if (i % MOST_PER_TENTH_SECOND == MOST_PER_TENTH_SECOND - 1) {
                Load.sleep(0.1); // for those that send a command for each waiter
            }
        }
        Load.sleep(3);
        double bytes = perLock(before, count, waiting, keys);
        if (notWaiting.get() != null) {
            throw new IllegalStateException("a waiter should wait, but " + notWaiting.get());
        }
        return bytes;
    }

    private static double perLock(long before, int count, Object... keptUntilMeasured) {
        long after = settledHeap();
        Reference.reachabilityFence(keptUntilMeasured);
        return (double) (after - before) / count;
    }

    private static void warmUp(LockClient client, LockLibrary library) {
        Flux.range(0, 2_000)
                .flatMap(i -> client.cycle(library.key("warm-up:" + i)), 64)
                .blockLast(Duration.ofMinutes(1));
    }

    static String[] keys(LockLibrary library, String name, int count) {
        String[] keys = new String[count];
        for (int i = 0; i < count; i++) {
            keys[i] = library.key(name + i);
        }
        return keys;
    }

    private static long settledHeap() {
        long last = Long.MAX_VALUE;
        for (int i = 0; i < 10; i++) {
            System.gc();
            Load.sleep(0.2);
            long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            if (Math.abs(used - last) < 100_000) {
                return used;
            }
            last = used;
        }
        return last;
    }
}
