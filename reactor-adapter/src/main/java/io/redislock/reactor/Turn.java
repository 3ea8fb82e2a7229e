package io.redislock.reactor;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What a caller in a {@link WaitQueue} may do when an attempt is due.
 *
 * @param instead what counts instead of an attempt, always an error; {@code null} when the attempt is to be sent
 */
record Turn(@Nullable Mono<RedisLock> instead) {

    static final Turn ATTEMPT = new Turn(null);

    static Turn instead(Mono<RedisLock> outcome) {
        return new Turn(outcome);
    }
}
