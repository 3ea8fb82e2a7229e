package io.redislock.examples.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.redislock.examples.webflux.Replica.Answer;
import io.redislock.testsupport.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What becomes of a lease of 2 s while its work runs. */
class LeaseTest {

    private static final Duration EXPIRY = Duration.ofSeconds(3);

    private static final RedisServer REDIS = RedisServer.start();
    private static final GatedPayments PAYMENTS = new GatedPayments();
    private static final Replica REPLICA =
            Replica.start("A", REDIS, PAYMENTS, "--orders.expiry=" + EXPIRY.toSeconds() + "s");

    @AfterAll
    static void end() {
        REPLICA.close();
        REDIS.close();
    }

    @Test
    void workThatTakesLongerThanTheExpiryKeepsItsLock() {
        CompletableFuture<Answer> request = REPLICA.process("1");
        GatedPayments.Charge charge = PAYMENTS.await("1", 1);
        String value = REPLICA.valueInRedis("1");
        long start = System.nanoTime();

        Await.until("two expiries have passed", () -> System.nanoTime() - start > EXPIRY.multipliedBy(2).toNanos());

        assertThat(REPLICA.valueInRedis("1")).isNotNull().isEqualTo(value);
        charge.end();
        assertThat(request.join().status()).isEqualTo(200);
        assertThat(REPLICA.valueInRedis("1")).isNull();
    }

    @Test
    void aLockThatIsDeletedWhileTheWorkRunsIsAnErrorThatSaysSo() {
        CompletableFuture<Answer> request = REPLICA.process("2");
        GatedPayments.Charge charge = PAYMENTS.await("2", 1);

        REPLICA.deleteInRedis("2");

        assertLost(request.join(), "DELETED");
        assertThat(charge.isCancelled()).isTrue();
    }

    @Test
    void aLockThatRunsOutWhileTheWorkRunsIsAnErrorThatSaysSo() {
        CompletableFuture<Answer> request = REPLICA.process("3");
        GatedPayments.Charge charge = PAYMENTS.await("3", 1);

        REDIS.pause(); // so that it cannot be renewed
        try {
            assertLost(request.join(), "EXPIRED");
            assertThat(charge.isCancelled()).isTrue();
        } finally {
            REDIS.resume();
        }
    }

    private static void assertLost(Answer answer, String reason) {
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.headers().getContentType()).hasToString("application/problem+json");
        assertThat(answer.headers().getFirst("Retry-After")).isNull();
        assertThat(answer.body())
                .containsEntry("type", "urn:example:orders:lock-lost")
                .containsEntry("reason", reason);
    }
}
