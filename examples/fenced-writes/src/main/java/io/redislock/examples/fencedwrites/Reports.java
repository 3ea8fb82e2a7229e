package io.redislock.examples.fencedwrites;

import reactor.core.publisher.Mono;

/** Where reports are kept, each under its id. */
interface Reports {

    /**
     * Emits true when the report was written, false when it was refused because a later holder of the lock has written
     * before. Never empty. Each subscription writes. Cancelled, it may still be done: what was sent cannot be called
     * back.
     *
     * @param token the fencing token of the lock under which the report was made
     */
    Mono<Boolean> write(String id, String content, long token);

    /** Emits what was written last; empty when there is nothing. */
    Mono<String> read(String id);

    /** What {@link #write} has emitted, in words. */
    static String answer(boolean written) {
        return written ? "accepted" : "refused";
    }
}
