package io.redislock.spring.boot;

import io.redislock.reactor.ReactiveRedisLocks;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

// The bean that the README shows.
// snippet: spring-boot
@Service
class Payments {

    private final ReactiveRedisLocks locks; // the bean that the starter makes
    private final Bank bank;

    Payments(ReactiveRedisLocks locks, Bank bank) {
        this.locks = locks;
        this.bank = bank;
    }

    Mono<String> charge(String orderId) {
        return locks.withLock("order:" + orderId, lock -> bank.charge(orderId));
    }
}
// end
