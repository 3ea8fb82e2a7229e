package io.redislock.benchmarks;

import reactor.core.publisher.Mono;

/** A lock that is held. */
interface Grant {

    /** Gives it back; completes, or emits whatever it likes and completes, when that is done. */
    Mono<?> release();
}
