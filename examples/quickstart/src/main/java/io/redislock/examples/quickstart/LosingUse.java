package io.redislock.examples.quickstart;

import java.time.Duration;

import io.lettuce.core.RedisClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redislock.LockLostException;
import io.redislock.LockOptions;
import io.redislock.LockState;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.reactor.RedisLock;
import io.redislock.reactor.micrometer.MicrometerLockListener;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Locks that are renewed, and lost all the same: what the work, its caller and an operator learn of it. */
final class LosingUse {

    private final MeterRegistry registry = new SimpleMeterRegistry(); // an application has one already
    private final ReactiveRedisLocks locks;
    private final Story story;

    /** Connects, as the program does at its start. */
    LosingUse(RedisClient client, Story story) {
        // snippet: metrics
        ReactiveRedisLocks locks = ReactiveRedisLocks.builder(client)
                .keyPrefix("quickstart:")
                .listener(new MicrometerLockListener(registry))
                .build();
        // end
        this.locks = locks;
        this.story = story;
    }

    Mono<Void> chapter() {
        // snippet: renew
        LockOptions renewed = LockOptions.defaults()
                .name("nightly") // the tag "lock" of its meters
                .expiry(Duration.ofSeconds(30)) // how long it outlives a process that died
                .autoRenew(Duration.ofMinutes(10)); // renewed every 10 s, for 10 minutes at most

        Mono<String> report = locks.withLock("report", renewed, lock -> write(lock))
                .onErrorResume(LockLostException.class, lost -> Mono.just("not to be relied on: " + lost.reason()));
        // end
        // snippet: watch
        Flux<String> sent = Flux.usingWhen(
                locks.acquire("outbox", renewed),
                lock -> messages()
                        .concatMap(message -> lock.state() == LockState.HELD ? send(lock, message) : Mono.empty())
                        .takeUntilOther(lock.lost()), // with a bare handle, nobody else stops the work
                RedisLock::release);
        // end
        return story.chapter("Losing: somebody deletes the keys of locks that are held",
                report.doOnNext(story::tell)
                        .thenMany(sent)
                        .doOnNext(story::tell)
                        .then(Mono.<Void>fromRunnable(this::tellMeters))
                        .then(locks.close()));
    }

    private Mono<String> write(RedisLock lock) {
        return somebodyDeletesTheKeyOf(lock).thenReturn("the report is written");
    }

    private static Flux<String> messages() {
        return Flux.just("first", "second", "third");
    }

    private Mono<String> send(RedisLock lock, String message) {
        if (message.equals("first")) {
            return Mono.just("first message: sent");
        }
        // The next renewal would find out. Extending by hand does so at once.
        return somebodyDeletesTheKeyOf(lock)
                .then(lock.extend(Duration.ofSeconds(30)))
                .then(Mono.<String>never())
                .doOnCancel(() -> story.tell(message + " message: cancelled, the lock is " + lock.state()));
    }

    /** Here with its value, but a DEL of any client does the same. */
    private Mono<Boolean> somebodyDeletesTheKeyOf(RedisLock lock) {
        return locks.release(lock.key(), lock.value());
    }

    private void tellMeters() {
        double deleted = registry.get("redislock.losses")
                .tags("lock", "nightly", "reason", "deleted").counter().count();
        double held = registry.get("redislock.held").tag("lock", "nightly").gauge().value();
        story.tell(String.format("meters: %.0f losses, %.0f held", deleted, held));
    }
}
