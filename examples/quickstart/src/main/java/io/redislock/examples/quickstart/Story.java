package io.redislock.examples.quickstart;

import java.io.PrintStream;

import io.redislock.reactor.ReactiveRedisLocks;
import reactor.core.publisher.Mono;

/** Prints the story, chapter by chapter. */
final class Story {

    private final PrintStream out;
    private int chapters;

    Story(PrintStream out) {
        this.out = out;
    }

    void begin(String where) {
        out.println("A distributed lock on " + where);
    }

    /** The chapter with its title before it. */
    Mono<Void> chapter(String title, Mono<?> events) {
        return Mono.<Void>fromRunnable(() -> out.printf("%n%d. %s%n", ++chapters, title)).then(events).then();
    }

    void tell(String line) {
        out.println("   " + line);
    }

    void end() {
        out.printf("%nDone.%n");
    }

    /** Asks Redis who holds the key, and tells it. */
    Mono<Void> tellHolder(ReactiveRedisLocks locks, String key) {
        return locks.query(key)
                .map(value -> "query: " + key + " is held by " + value)
                .defaultIfEmpty("query: " + key + " is free")
                .doOnNext(this::tell)
                .then();
    }
}
