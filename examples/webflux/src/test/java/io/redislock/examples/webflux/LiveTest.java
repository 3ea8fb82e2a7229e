package io.redislock.examples.webflux;

import static io.redislock.examples.webflux.TwoReplicas.A;
import static io.redislock.examples.webflux.TwoReplicas.B;
import static io.redislock.examples.webflux.TwoReplicas.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.redislock.examples.webflux.Replica.Answer;
import org.junit.jupiter.api.Test;
import org.springframework.http.codec.ServerSentEvent;

/** What the page hears from each replica. */
class LiveTest {

    @Test
    void eachReplicaTellsWhatItHoldsAndBothTellWhatIsInRedis() {
        CompletableFuture<Answer> request = A.process("30");
        GatedPayments.Charge charge = PAYMENTS.await("30", 1);
        String value = A.valueInRedis("30");

        assertThat(snapshotWithKey(A, "order:30").toString())
                .contains("held=[{key=order:30, value=" + value + ", state=HELD, remainingMillis=")
                .contains("fencingToken=" + charge.fencingToken());
        Map<String, Object> other = snapshotWithKey(B, "order:30");
        assertThat(other.get("held")).asString().doesNotContain("order:30");
        assertThat(other.get("keys")).asString().contains("key=order:30, value=" + value + ", remainingMillis=");

        charge.end();
        request.join();
    }

    @Test
    void whatHappensIsToldInOrderAlsoToThoseWhoComeLater() {
        CompletableFuture<Answer> holder = A.process("31");
        GatedPayments.Charge charge = PAYMENTS.await("31", 1);
        assertThat(A.process("31").join().status()).isEqualTo(409);
        charge.end();
        holder.join();

        List<String> kinds = A.live()
                .filter(event -> "lock".equals(event.event()))
                .map(LiveTest::data)
                .filter(event -> "order:31".equals(event.get("key")))
                .map(event -> String.valueOf(event.get("kind")))
                .take(3)
                .collectList()
                .block(Duration.ofSeconds(30));

        assertThat(kinds).containsExactly("held", "busy", "released");
    }

    private static Map<String, Object> snapshotWithKey(Replica replica, String key) {
        Map<String, Object> snapshot = replica.live()
                .filter(event -> "snapshot".equals(event.event()))
                .map(LiveTest::data)
                .filter(data -> String.valueOf(data.get("keys")).contains("key=" + key + ","))
                .blockFirst(Duration.ofSeconds(30));
        assertThat(snapshot).isNotNull();
        return snapshot;
    }

    private static Map<String, Object> data(ServerSentEvent<Map<String, Object>> event) {
        Map<String, Object> data = event.data();
        assertThat(data).isNotNull();
        return data;
    }
}
