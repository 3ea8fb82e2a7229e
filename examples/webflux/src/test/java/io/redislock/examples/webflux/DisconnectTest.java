package io.redislock.examples.webflux;

import static io.redislock.examples.webflux.TwoReplicas.A;
import static io.redislock.examples.webflux.TwoReplicas.B;
import static io.redislock.examples.webflux.TwoReplicas.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.redislock.examples.webflux.Replica.Answer;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

/** A client that hangs up leaves nothing behind. */
class DisconnectTest {

    /** Well before the lease of 6 s can have ended by itself. */
    private static final Duration AT_ONCE = Duration.ofSeconds(4);

    @Test
    void whileItsOrderIsProcessedTheWorkIsCancelledAndTheLockIsFree() {
        Disposable client = A.post("/orders/20/process").subscribe();
        GatedPayments.Charge charge = PAYMENTS.await("20", 1);
        assertThat(A.valueInRedis("20")).isNotNull();

        client.dispose();

        Await.within(AT_ONCE, "the key is gone", () -> A.valueInRedis("20") == null);
        assertThat(charge.isCancelled()).isTrue();

        CompletableFuture<Answer> next = B.process("20");
        PAYMENTS.await("20", 2).end();
        assertThat(next.join().status()).isEqualTo(200);
    }

    @Test
    void whileItWaitsForTheLockItIsForgottenAndNeverGetsIt() {
        CompletableFuture<Answer> holder = A.process("21");
        GatedPayments.Charge charge = PAYMENTS.await("21", 1);
        Disposable client = B.post("/orders/21/process?wait=PT1M").subscribe();
        Await.until("it waits", () -> B.board().waiting().containsKey("order:21"));

        client.dispose();

        Await.until("it does not wait any more", () -> B.board().waiting().isEmpty());
        charge.end();
        assertThat(holder.join().status()).isEqualTo(200);
        // The lock is free, so whoever still wanted it would have it by the time that another has had it.
        CompletableFuture<Answer> next = B.process("21");
        PAYMENTS.await("21", 2).end();
        assertThat(next.join().status()).isEqualTo(200);
        assertThat(A.valueInRedis("21")).isNull();
        assertThat(PAYMENTS.of("21")).hasSize(2);
    }
}
