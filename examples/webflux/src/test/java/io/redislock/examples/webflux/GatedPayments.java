package io.redislock.examples.webflux;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Payments that take until the test ends them, so that requests meet for certain. */
final class GatedPayments implements Payments {

    /** A payment that was begun. */
    static final class Charge {

        private final String order;
        private final long fencingToken;
        private final Sinks.Empty<Void> end = Sinks.empty();
        private volatile boolean cancelled;

        private Charge(String order, long fencingToken) {
            this.order = order;
            this.fencingToken = fencingToken;
        }

        long fencingToken() {
            return fencingToken;
        }

        boolean isCancelled() {
            return cancelled;
        }

        void end() {
            end.tryEmitEmpty();
        }
    }

    private final List<Charge> charges = new CopyOnWriteArrayList<>();
    private volatile boolean open;

    @Override
    public Mono<Void> charge(String order, OptionalLong fencingToken, Duration takes) {
        return Mono.defer(() -> {
            Charge charge = new Charge(order, fencingToken.orElseThrow());
            charges.add(charge);
            if (open) {
                charge.end();
            }
            return charge.end.asMono().doOnCancel(() -> charge.cancelled = true);
        });
    }

    /** From now on payments end at once. */
    void open() {
        open = true;
    }

    /** The payments of an order, the first one first. */
    List<Charge> of(String order) {
        return charges.stream().filter(charge -> charge.order.equals(order)).toList();
    }

    /** Waits for the payment of this number, counted from 1. */
    Charge await(String order, int number) {
        Await.until("payment " + number + " of order " + order, () -> of(order).size() >= number);
        return of(order).get(number - 1);
    }
}
