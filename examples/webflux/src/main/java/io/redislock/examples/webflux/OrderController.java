package io.redislock.examples.webflux;

import java.time.Duration;
import java.util.OptionalLong;

import io.redislock.LockOptions;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.reactor.RedisLock;
import jakarta.validation.constraints.Pattern;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Processes orders, each by one request at a time. What else can happen is answered by {@link LockProblems}. */
@RestController
class OrderController {

    private final ReactiveRedisLocks locks;
    private final LockOptions options;
    private final Payments payments;
    private final Board board;
    private final String replica;

    OrderController(ReactiveRedisLocks locks, Payments payments, Board board, OrdersProperties properties) {
        this.locks = locks;
        this.payments = payments;
        this.board = board;
        this.replica = properties.replica();
        // snippet: webflux-options
        this.options = LockOptions.defaults()
                .name("orders") // the tag "lock" of its meters
                .expiry(properties.expiry()) // 6 s: how long an order stays locked when its process dies
                .autoRenew(properties.maxHold()) // 5 min: how long its work may take
                .fenced(); // for the payment service, to refuse who comes too late
        // end
    }

    /**
     * Answers when the order is charged, or as {@link LockProblems} says. A client that disconnects cancels the work,
     * or the wait for the lock, and the lock is released.
     *
     * @param takes how long the payment shall take, for the demonstration
     * @param wait how long to wait for the lock while another request has it
     */
    // snippet: webflux-handler
    @PostMapping("/orders/{id}/process")
    Mono<Receipt> process(
            @PathVariable @Pattern(regexp = "[A-Za-z0-9-]{1,40}") String id,
            @RequestParam(defaultValue = "PT2S") @DurationMin @DurationMax(minutes = 1) Duration takes,
            @RequestParam(defaultValue = "PT0S") @DurationMin @DurationMax(minutes = 1) Duration wait) {
        return locks.withLock("order:" + id, options.waitAtMost(wait), lock -> charge(id, takes, lock));
    }
    // end

    private Mono<Receipt> charge(String id, Duration takes, RedisLock lock) {
        OptionalLong token = lock.fencingToken();
        return board.showing(lock, payments.charge(id, token, takes)
                .thenReturn(new Receipt(id, replica, token.isPresent() ? token.getAsLong() : null)));
    }
}
