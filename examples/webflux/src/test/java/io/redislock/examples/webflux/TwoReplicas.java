package io.redislock.examples.webflux;

import io.redislock.testsupport.RedisServer;

/** Two replicas on one Redis, shared by the tests that only use them. Each test takes an order of its own. */
final class TwoReplicas {

    static final GatedPayments PAYMENTS = new GatedPayments();
    static final Replica A = Replica.start("A", RedisServer.shared(), PAYMENTS);
    static final Replica B = Replica.start("B", RedisServer.shared(), PAYMENTS);

    private TwoReplicas() {
    }
}
