package io.redislock.examples.fencedwrites;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

import io.lettuce.core.RedisClient;
import io.redislock.LockOptions;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.reactor.RedisLock;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A, a process of its own: takes the lock, sees that it holds it, and is stopped before it writes, until somebody lets
 * it go on. {@link WorkerProcess} reads what it prints, stops it, and lets it go on. A gate stands between the look and
 * the write, so that the stop hits that place; sooner or later, a long garbage collection or a suspended machine hits
 * it without one.
 *
 * <p>It has a bare handle. {@code withLock} would cancel the work as soon as the process runs again, and mostly before
 * the write is sent; but not always, and this story shall end in the same way each time. (A test shows a write that
 * comes late in spite of {@code withLock}.)
 */
final class PausedWorker {

    private static final Duration LONGEST = Duration.ofSeconds(40);
    private static final LockOptions SHORT = LockOptions.defaults().expiry(Duration.ofSeconds(2)).fenced();

    private PausedWorker() {
    }

    public static void main(String[] args) {
        Destination destination = Destination.valueOf(args[0]);
        String id = destination.id();
        try (RedisClient client = RedisClient.create(System.getenv("REDIS"))) {
            ReactiveRedisLocks locks = ReactiveRedisLocks.create(client);
            Reports reports = destination.open(Database.at(System.getenv("DATABASE")), client);
            // Also connects, and loads classes, before the lease begins, which is short.
            reports.read(id).then(locks.query("publish:" + id)).block(LONGEST);
            Mono.usingWhen(
                            locks.acquire("publish:" + id, SHORT),
                            lock -> Mono.fromRunnable(() -> look(lock))
                                    .then(Mono.fromRunnable(PausedWorker::waitAtTheGate)
                                            .subscribeOn(Schedulers.boundedElastic())) // it blocks
                                    .then(reports.write(id, "A", lock.fencingToken().orElseThrow())),
                            RedisLock::release)
                    .doOnNext(written -> System.out.println("writes its report: " + Reports.answer(written)))
                    .block(LONGEST);
        }
    }

    private static void look(RedisLock lock) {
        System.out.println("has the lock for 2 s, token " + lock.fencingToken().orElseThrow());
        System.out.println("looks at its lock: " + lock.state());
    }

    private static void waitAtTheGate() {
        try {
            System.in.read();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
