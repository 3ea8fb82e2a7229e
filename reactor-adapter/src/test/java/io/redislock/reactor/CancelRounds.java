package io.redislock.reactor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;

import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Ends calls at random moments, many times: before they are sent, in flight, during a delay, in the work, after it. How
 * long calls may live follows the machine: long enough that about half of them reach their work.
 */
final class CancelRounds {

    private static final int THREADS = 8;
    private static final int TIMEOUTS_AT_ONCE = 32;
    /** About what parking a thread takes at least. */
    private static final long TOO_SHORT_TO_PARK_NANOS = 60_000;
    private static final int ROUNDS_PER_LOOK = 50;
    private static final long SHORTEST_NANOS = Duration.ofNanos(100_000).toNanos();
    private static final long LONGEST_NANOS = Duration.ofMillis(60).toNanos();

    private final int rounds;
    private final IntSupplier worked;
    private final AtomicLong longestLife = new AtomicLong(Duration.ofMillis(2).toNanos());
    private final AtomicInteger next = new AtomicInteger();
    private int workedBefore;

    /**
     * @param worked how many calls have reached their work so far
     */
    CancelRounds(int rounds, IntSupplier worked) {
        this.rounds = rounds;
        this.worked = worked;
    }

    /** Subscribes, and cancels some time later, on several threads. */
    void cancelling(IntFunction<Publisher<?>> call) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> {
                for (int round = next.getAndIncrement(); round < rounds; round = next.getAndIncrement()) {
                    long life = life(round);
                    Disposable running = Flux.from(call.apply(round)).subscribe(value -> { }, error -> { });
                    pause(life);
                    running.dispose();
                }
            }, "cancelling-" + i);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Subscribes with a {@code timeout()}, many at once. */
    void timingOut(IntFunction<Publisher<?>> call) {
        Flux.range(0, rounds)
                .flatMap(round -> Flux.from(call.apply(round))
                        .timeout(Mono.delay(Duration.ofNanos(life(round))))
                        .onErrorResume(error -> Mono.empty())
                        .then(), TIMEOUTS_AT_ONCE)
                .blockLast(Duration.ofMinutes(4));
    }

    private static void pause(long nanos) {
        if (nanos > TOO_SHORT_TO_PARK_NANOS) {
            LockSupport.parkNanos(nanos);
            return;
        }
        for (long end = System.nanoTime() + nanos; System.nanoTime() - end < 0; ) {
            Thread.onSpinWait();
        }
    }

    /** Every fourth is so short that the command may not even have been sent. */
    private long life(int round) {
        if (round % ROUNDS_PER_LOOK == 0 && round > 0) {
            follow();
        }
        if (round % 4 == 3) {
            return ThreadLocalRandom.current().nextLong(TOO_SHORT_TO_PARK_NANOS);
        }
        return ThreadLocalRandom.current().nextLong(longestLife.get());
    }

    private synchronized void follow() {
        int workedNow = worked.getAsInt();
        int share = 100 * (workedNow - workedBefore) / ROUNDS_PER_LOOK;
        workedBefore = workedNow;
        if (share < 10) {
            longestLife.updateAndGet(life -> Math.min(LONGEST_NANOS, life * 2));
        } else if (share < 40) {
            longestLife.updateAndGet(life -> Math.min(LONGEST_NANOS, life * 4 / 3));
        } else if (share > 60) {
            longestLife.updateAndGet(life -> Math.max(SHORTEST_NANOS, life * 3 / 4));
        }
    }
}
