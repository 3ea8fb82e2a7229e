package io.redislock.examples.webflux;

import org.jspecify.annotations.Nullable;

/**
 * That an order was charged.
 *
 * @param replica by which replica
 * @param fencingToken the number that the payment service was given to refuse late writes by
 */
record Receipt(String order, String replica, @Nullable Long fencingToken) {
}
