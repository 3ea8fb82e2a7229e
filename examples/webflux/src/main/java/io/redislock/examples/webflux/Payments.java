package io.redislock.examples.webflux;

import java.time.Duration;
import java.util.OptionalLong;

import reactor.core.publisher.Mono;

/** The service that charges an order, which must not happen twice at the same time. */
interface Payments {

    /**
     * Completes when the order is charged. Cancelling gives up waiting for that: what was sent may be booked all the
     * same.
     *
     * @param fencingToken what the payment service compares with the greatest it has seen for this order, in the same
     *     step as it books, so that it refuses a holder whose lease ended before
     * @param takes how long the payment shall take, for the demonstration
     */
    Mono<Void> charge(String order, OptionalLong fencingToken, Duration takes);
}
