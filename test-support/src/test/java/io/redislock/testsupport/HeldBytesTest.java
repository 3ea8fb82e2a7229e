package io.redislock.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Delays and the black hole: bytes that wait in the proxy. */
class HeldBytesTest extends ProxiedServer {

    @Test
    void delayedRequestReachesTheServerLater() throws IOException {
        try (RespSocket redis = connect()) {
            proxy.delayRequests(MOMENT);
            long start = System.nanoTime();
            redis.send("SET", "key", "value");
            assertThat(redis.reply()).isEqualTo("OK");
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(MOMENT.toNanos());

            proxy.delayRequests(NEVER);
            redis.send("DEL", "key");
            assertThat(redis.isSilentFor(MOMENT)).isTrue();
            assertThat(direct.call("EXISTS", "key")).isEqualTo("1");
            proxy.delayRequests(Duration.ZERO);
            assertThat(redis.reply()).isEqualTo("1");
        }
    }

    @Test
    void delayedReplyIsThatOfACommandThatRan() throws IOException {
        try (RespSocket redis = connect()) {
            proxy.delayReplies(NEVER);
            redis.send("SET", "key", "value");
            eventually(() -> direct.call("EXISTS", "key").equals("1"));
            assertThat(redis.isSilentFor(MOMENT)).isTrue();
            proxy.delayReplies(Duration.ZERO);
            assertThat(redis.reply()).isEqualTo("OK");
        }
    }

    @Test
    void delayCannotBeNegative() {
        assertThatThrownBy(() -> proxy.delayRequests(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> proxy.cutOnNextReply(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void blackholeHoldsBothDirectionsAndDeliversInOrderWhenOff() throws IOException {
        try (RespSocket redis = connect()) {
            proxy.blackhole(true);
            redis.send("RPUSH", "list", "a");
            redis.send("RPUSH", "list", "b");
            assertThat(redis.isSilentFor(MOMENT)).isTrue();
            assertThat(direct.call("EXISTS", "list")).isEqualTo("0");
            proxy.blackhole(false);
            assertThat(redis.reply()).isEqualTo("1");
            assertThat(redis.reply()).isEqualTo("2");
            assertThat(direct.call("LINDEX", "list", "0")).isEqualTo("a");
        }
    }

    @Test
    void blackholeHoldsARequestThatIsAnsweredMeanwhileByNobody() throws IOException {
        try (RespSocket redis = connect()) {
            redis.send("BLPOP", "list", "0");
            eventually(() -> direct.call("CLIENT", "LIST").contains("cmd=blpop"));
            proxy.blackhole(true);
            assertThat(direct.call("RPUSH", "list", "a")).isEqualTo("1");
            assertThat(redis.isSilentFor(MOMENT)).isTrue();
            assertThat(direct.call("EXISTS", "list")).isEqualTo("0");
            proxy.blackhole(false);
            assertThat(redis.reply()).isEqualTo("*2");
        }
    }

    @Test
    void requestOfAClientThatLeftDuringABlackholeArrivesAfterIt() throws IOException {
        try (RespSocket redis = connect()) {
            proxy.blackhole(true);
            redis.send("SET", "key", "value");
            redis.disconnect();
            eventually(() -> proxy.connections() == 0);
            assertThat(clientsOfTheServer()).isEqualTo(1);
            assertThat(direct.call("EXISTS", "key")).isEqualTo("0");
            proxy.blackhole(false);
            eventually(() -> direct.call("EXISTS", "key").equals("1") && clientsOfTheServer() == 0);
        }
    }

    @Test
    void cutDuringABlackholeDropsWhatIsHeld() throws IOException {
        try (RespSocket redis = connect()) {
            proxy.blackhole(true);
            redis.send("SET", "key", "value");
            assertThat(redis.isSilentFor(MOMENT)).isTrue();
            proxy.cut();
            proxy.blackhole(false);
            eventually(() -> clientsOfTheServer() == 0);
            assertThat(direct.call("EXISTS", "key")).isEqualTo("0");
        }
    }
}
