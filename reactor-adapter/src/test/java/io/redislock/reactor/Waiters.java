package io.redislock.reactor;

import java.util.ArrayList;
import java.util.List;

import io.redislock.LockOptions;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Callers that wait for locks, numbered as they come, and a note of what becomes of each, in order. */
final class Waiters {

    private final ReactiveRedisLocks locks;
    private final List<String> ends = new ArrayList<>();
    private final List<RedisLock> held = new ArrayList<>();
    private int count;

    Waiters(ReactiveRedisLocks locks) {
        this.locks = locks;
    }

    /** One more caller. */
    Disposable waits(String key, LockOptions options) {
        int number = ++count;
        return locks.acquire(key, options)
                .switchIfEmpty(Mono.fromRunnable(() -> ends.add(number + " busy")))
                .subscribe(lock -> {
                    held.add(lock);
                    ends.add(number + " acquired");
                }, failure -> ends.add(number + " " + failure.getClass().getSimpleName()));
    }

    void wait(int many, String key, LockOptions options) {
        for (int i = 0; i < many; i++) {
            waits(key, options);
        }
    }

    /** What became of those for whom it is over. */
    List<String> ends() {
        return ends;
    }

    /** The lock that was acquired last. */
    RedisLock lock() {
        return held.get(held.size() - 1);
    }

    /** Gives back the lock that was acquired last, without waiting for the answer. */
    void release() {
        lock().release().subscribe();
    }
}
