package io.redislock.spring.boot;

import reactor.core.publisher.Mono;

/** What {@link Payments} needs a lock for. */
interface Bank {

    Mono<String> charge(String orderId);
}
