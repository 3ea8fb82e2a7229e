package io.redislock.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Requests that reach the server late, when their client has long been gone. */
class OrphanedRequestTest extends ProxiedServer {

    @Test
    void orphanedRequestArrivesLate() throws IOException {
        try (RespSocket redis = connect()) {
            proxy.orphanRequests(MOMENT.multipliedBy(2));
            assertThat(proxy.connections()).isEqualTo(1);
            long start = System.nanoTime();
            redis.send("SET", "key", "late");
            assertThat(redis.reply()).isEqualTo("closed");
            try (RespSocket next = connect()) {
                assertThat(next.call("SET", "key", "early")).isEqualTo("OK");
                eventually(() -> next.call("GET", "key").equals("late"));
            }
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(MOMENT.multipliedBy(2).toNanos());
            eventually(() -> clientsOfTheServer() == 0);
        }
    }

    @Test
    void longRequestIsOrphanedWhole() throws IOException {
        String value = "x".repeat(60_000);
        try (RespSocket redis = connect()) {
            proxy.orphanRequests(MOMENT);
            redis.send("SET", "key", value);
            assertThat(redis.reply()).isEqualTo("closed");
            eventually(() -> direct.call("STRLEN", "key").equals("60000"));
        }
    }

    @Test
    void requestHeldBeforeIsOrphanedAtOnce() throws IOException {
        try (RespSocket redis = connect()) {
            proxy.delayRequests(NEVER);
            redis.send("SET", "key", "late");
            assertThat(redis.isSilentFor(MOMENT)).isTrue();
            proxy.orphanRequests(Duration.ZERO);
            assertThat(redis.reply()).isEqualTo("closed");
            proxy.delayRequests(Duration.ZERO);
            eventually(() -> direct.call("EXISTS", "key").equals("1"));
        }
    }

    @Test
    void cutOrphansAConnectionWithoutARequestAndSparesTheLateOnes() throws IOException {
        try (RespSocket late = connect(); RespSocket idle = connect()) {
            proxy.orphanRequests(MOMENT);
            late.send("SET", "key", "late");
            assertThat(late.reply()).isEqualTo("closed");
            proxy.cut();
            assertThat(idle.reply()).isEqualTo("closed");
            eventually(() -> direct.call("EXISTS", "key").equals("1") && clientsOfTheServer() == 0);
        }
    }
}
