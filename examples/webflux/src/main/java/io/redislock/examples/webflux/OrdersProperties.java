package io.redislock.examples.webflux;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is configured under {@code orders}.
 *
 * @param replica the name of this replica: A for the first of {@code ports}, B for the second
 * @param ports where all replicas listen; the page asks each of them
 * @param expiry how long an order stays locked after its process died; it is renewed while the work runs
 * @param maxHold how long work may take at most
 * @param pause for how long the page may pause this process; not at all when it is not given
 */
@ConfigurationProperties("orders")
record OrdersProperties(
        @DefaultValue("A") String replica,
        @DefaultValue List<Integer> ports,
        @DefaultValue("6s") Duration expiry,
        @DefaultValue("5m") Duration maxHold,
        @Nullable Duration pause) {
}
