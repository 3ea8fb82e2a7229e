package io.redislock.examples.webflux;

import java.time.Duration;
import java.util.OptionalLong;

import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Stands in for a call to a payment service: it takes its time and does nothing. */
@Component
final class SlowPayments implements Payments {

    @Override
    public Mono<Void> charge(String order, OptionalLong fencingToken, Duration takes) {
        return Mono.delay(takes).then();
    }
}
