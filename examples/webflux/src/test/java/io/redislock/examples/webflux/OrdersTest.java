package io.redislock.examples.webflux;

import static io.redislock.examples.webflux.TwoReplicas.A;
import static io.redislock.examples.webflux.TwoReplicas.B;
import static io.redislock.examples.webflux.TwoReplicas.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.redislock.examples.webflux.Replica.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What requests to two replicas are answered, over HTTP. */
class OrdersTest {

    @Test
    void ofTwoRequestsAtOnceOneIsProcessedAndOneIsBusyAndAThirdIsProcessedLater() {
        List<CompletableFuture<Answer>> both = List.of(A.process("1"), B.process("1"));

        Answer busy = (Answer) CompletableFuture.anyOf(both.toArray(CompletableFuture[]::new)).join();
        PAYMENTS.await("1", 1).end();

        assertThat(both).extracting(answer -> answer.join().status()).containsExactlyInAnyOrder(200, 409);
        assertThat(busy.status()).isEqualTo(409);
        assertThat(busy.retryAfter()).isBetween(1L, 9L); // 6 s and half of that
        assertThat(busy.headers().getContentType()).hasToString("application/problem+json");
        assertThat(busy.body()).containsEntry("type", "urn:example:orders:busy").containsEntry("status", 409);

        CompletableFuture<Answer> third = B.process("1");
        PAYMENTS.await("1", 2).end();

        assertThat(third.join().status()).isEqualTo(200);
        assertThat(PAYMENTS.of("1")).hasSize(2);
    }

    @Test
    void requestsForDifferentOrdersDoNotContend() {
        CompletableFuture<Answer> first = A.process("2");
        CompletableFuture<Answer> second = B.process("3");
        CompletableFuture<Answer> third = A.process("4");

        // All three are paid for at the same time before any ends.
        List<GatedPayments.Charge> charges =
                List.of(PAYMENTS.await("2", 1), PAYMENTS.await("3", 1), PAYMENTS.await("4", 1));
        charges.forEach(GatedPayments.Charge::end);

        assertThat(List.of(first.join(), second.join(), third.join())).extracting(Answer::status).containsOnly(200);
    }

    @Test
    void aRequestThatWaitsGetsItsTurnAndAGreaterFencingToken() {
        CompletableFuture<Answer> first = A.process("5");
        GatedPayments.Charge before = PAYMENTS.await("5", 1);
        CompletableFuture<Answer> second = B.post("/orders/5/process?wait=PT1M").toFuture();
        Await.until("the second waits", () -> B.board().waiting().containsKey("order:5"));

        before.end();
        GatedPayments.Charge after = PAYMENTS.await("5", 2);
        after.end();

        assertThat(first.join().body()).containsEntry("order", "5").containsEntry("replica", "A")
                .containsEntry("fencingToken", before.fencingToken());
        assertThat(second.join().body()).containsEntry("replica", "B")
                .containsEntry("fencingToken", after.fencingToken());
        assertThat(after.fencingToken()).isGreaterThan(before.fencingToken());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/orders/a_b/process", "/orders/%20/process", "/orders/a%2Fb/process",
            "/orders/12345678901234567890123456789012345678901/process",
            "/orders/6/process?wait=soon", "/orders/6/process?wait=-PT1S", "/orders/6/process?takes=PT61S"})
    void badRequestsAreRefused(String bad) {
        Answer answer = A.post(bad).block();

        assertThat(answer).isNotNull();
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.headers().getContentType()).hasToString("application/problem+json");
        assertThat(PAYMENTS.of("6")).isEmpty();
    }
}
