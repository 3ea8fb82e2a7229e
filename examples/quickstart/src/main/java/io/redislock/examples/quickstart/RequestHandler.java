package io.redislock.examples.quickstart;

import java.time.Duration;

import io.redislock.LockNotAcquiredException;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import io.redislock.reactor.ReactiveRedisLocks;
import reactor.core.publisher.Mono;

/**
 * How a request handler uses a lock, without a web framework: {@link Response} is what it answers. With Spring WebFlux
 * it is shorter, see {@code examples/webflux}.
 */
final class RequestHandler {

    /** A status and a body. */
    record Response(int status, String body) {
    }

    /** What must not run twice at once for the same order. */
    interface Payments {
        Mono<String> charge(String orderId);
    }

    private final ReactiveRedisLocks locks;
    private final Payments payments;

    RequestHandler(ReactiveRedisLocks locks, Payments payments) {
        this.locks = locks;
        this.payments = payments;
    }

    private static final LockOptions BRIEFLY = LockOptions.defaults().waitAtMost(Duration.ofMillis(300));

    Mono<Response> charge(String orderId) {
        return locks.withLock("order:" + orderId, BRIEFLY, lock -> payments.charge(orderId))
                .map(receipt -> new Response(200, receipt))
                .onErrorResume(LockNotAcquiredException.class,
                        busy -> Mono.just(new Response(409, "order " + orderId + " is being charged already")))
                .onErrorResume(LockUnavailableException.class,
                        down -> Mono.just(new Response(503, "please try again later")));
    }
}
