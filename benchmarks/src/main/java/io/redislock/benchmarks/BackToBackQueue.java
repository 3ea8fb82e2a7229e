package io.redislock.benchmarks;

import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** Hands one key on among the waiters of this process, by a release and an acquisition in one go. */
final class BackToBackQueue {

    private final HandWrittenLock lock;
    private final String key;
    private final Deque<MonoSink<Grant>> waiting = new ArrayDeque<>();
    private boolean held;

    BackToBackQueue(HandWrittenLock lock, String key) {
        this.lock = lock;
        this.key = key;
    }

    Mono<Grant> acquire() {
        return Mono.create(this::enter);
    }

    private void enter(MonoSink<Grant> waiter) {
        synchronized (this) {
            if (held) {
                waiting.add(waiter);
                return;
            }
            held = true;
        }
        send(waiter);
    }

    private void send(MonoSink<Grant> waiter) {
        String token = lock.token();
        lock.acquire(key, token).subscribe(
                acquired -> {
                    if (acquired) {
                        waiter.success(() -> release(token));
                    } else {
                        waiter.error(new IllegalStateException(key + " is held by somebody else"));
                    }
                },
                waiter::error);
    }

    private Mono<Boolean> release(String token) {
        return Mono.create(done -> {
            MonoSink<Grant> next = next();
            lock.release(key, token).subscribe(done::success, done::error);
            if (next != null) {
                send(next);
            }
        });
    }

    private synchronized @Nullable MonoSink<Grant> next() {
        MonoSink<Grant> next = waiting.poll();
        held = next != null;
        return next;
    }
}
