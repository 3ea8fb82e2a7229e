package io.redislock.examples.pipelines;

import java.io.PrintStream;

import reactor.core.publisher.Mono;

/** Prints the story, chapter by chapter. Several threads may tell. */
final class Story {

    private final PrintStream out;
    private int chapters;

    Story(PrintStream out) {
        this.out = out;
    }

    void begin(String where) {
        out.println("Five pipelines with a lock, on " + where);
        out.println("A and B are two instances of the library, as two processes would be.");
    }

    /** The chapter with its title before it. */
    Mono<Void> chapter(String title, Mono<?> events) {
        return Mono.<Void>fromRunnable(() -> out.printf("%n%d. %s%n", ++chapters, title)).then(events).then();
    }

    void tell(String line) {
        out.println("   " + line);
    }

    /** Tells what the chapter has shown, or ends the story if it has not. */
    void conclude(boolean shown, String claim) {
        if (!shown) {
            throw new IllegalStateException("This should be so, and is not: " + claim);
        }
        tell(claim);
    }

    void end() {
        out.printf("%nDone.%n");
    }
}
