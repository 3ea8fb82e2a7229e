package io.redislock.reactor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Stream;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Opening the connection, both ways: blocking at start-up, and as a signal. */
class ConnectingTest {

    private static final Duration EXPIRY = Duration.ofSeconds(60);
    private static final int ROUNDS = 100;

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final String key = FIXTURE.freshKey();

    private interface Way extends Function<RedisURI, Mono<ReactiveRedisLocks>> {
    }

    /** Each opens one connection with a client of its own, when subscribed to. */
    static Stream<Named<Way>> ways() {
        return Stream.of(
                Named.of("create", uri -> Mono.fromCallable(() -> ReactiveRedisLocks.create(clientOf(uri)))),
                Named.of("build at a URI", uri -> Mono.fromCallable(() ->
                        ReactiveRedisLocks.builder(clientOf(null)).uri(uri).build())),
                Named.of("connect at a URI", uri -> ReactiveRedisLocks.connect(clientOf(null), uri)),
                Named.of("connect at the client's own", uri -> ReactiveRedisLocks.builder(clientOf(uri)).connect()));
    }

    /** The two that can be cancelled. */
    static Stream<Named<Way>> waysWithoutBlocking() {
        return ways().filter(way -> way.getName().startsWith("connect"));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void connectedLocksWorkAndHoldOneConnectionUntilTheyAreClosed(Way way) {
        long before = connections();

        ReactiveRedisLocks locks = way.apply(uri()).block(Await.PATIENCE);

        assertThat(locks.take(key, "ours", EXPIRY).block(Await.PATIENCE)).isTrue();
        assertThat(connections()).isEqualTo(before + 1);
        locks.close().block(Await.PATIENCE);
        Await.until("the connection is closed", () -> connections() == before);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void refusedConnectionIsAnErrorThatNamesTheAddress(Way way) throws IOException {
        int nobody = portOfNobody();
        RedisURI refused = RedisURI.create("redis://127.0.0.1:" + nobody);

        assertThatThrownBy(() -> way.apply(refused).block(Await.PATIENCE))
                .isInstanceOf(RedisException.class)
                .hasMessageContaining("127.0.0.1").hasMessageContaining(Integer.toString(nobody));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void serverThatDoesNotAnswerIsAnErrorWithinTheTimeoutOfTheUri(Way way) {
        RedisURI impatient = uri();
        impatient.setTimeout(Duration.ofMillis(300));
        FIXTURE.server().pause();

        assertThatThrownBy(() -> way.apply(impatient).block(Await.PATIENCE)).isInstanceOf(RedisException.class);
    }

    @ParameterizedTest
    @MethodSource("ways")
    void wrongPasswordIsAnError(Way way) {
        RedisURI wrong = RedisURI.builder(uri()).withAuthentication("nobody", "wrong".toCharArray()).build();

        // The server says WRONGPASS, but now and then Lettuce sees the end of the connection first and tells that.
        assertThatThrownBy(() -> way.apply(wrong).block(Await.PATIENCE)).isInstanceOf(RedisException.class);
    }

    @ParameterizedTest
    @MethodSource("waysWithoutBlocking")
    void nothingIsConnectedBeforeASubscriptionAndEachOneConnects(Way way) {
        long before = received();
        Mono<ReactiveRedisLocks> connecting = way.apply(uri());
        assertThat(received()).isEqualTo(before);

        ReactiveRedisLocks one = connecting.block(Await.PATIENCE);
        ReactiveRedisLocks other = connecting.block(Await.PATIENCE);

        assertThat(received()).isEqualTo(before + 2);
        one.close().block(Await.PATIENCE);
        assertThat(other.take(key, "ours", EXPIRY).block(Await.PATIENCE)).isTrue();
        other.close().block(Await.PATIENCE);
    }

    @ParameterizedTest
    @MethodSource("waysWithoutBlocking")
    void connectThatIsCancelledOnTheWayLeavesNoConnection(Way way) {
        long before = connections();
        long receivedBefore = received();
        FIXTURE.server().pause();
        Disposable connecting = way.apply(uri()).subscribe();
        // The kernel has accepted the connection, or will; the server greets it when it goes on.
        connecting.dispose();

        FIXTURE.server().resume();

        Await.until("it was on the way", () -> received() > receivedBefore);
        Await.until("the connection is closed", () -> connections() == before);
    }

    @ParameterizedTest
    @MethodSource("waysWithoutBlocking")
    void connectsThatAreCancelledAtAnyMomentLeaveNoConnection(Way way) throws InterruptedException {
        long before = connections();
        long receivedBefore = received();
        Mono<ReactiveRedisLocks> connecting = way.apply(uri());
        for (int round = 0; round < ROUNDS; round++) {
            Taker<ReactiveRedisLocks> each = new Taker<>(locks -> locks.close().subscribe());
            connecting.subscribe(each);
            Thread.sleep(round % 10); // from before the greeting to after it
            each.cancel();
        }

        Await.until("all were on the way", () -> received() >= receivedBefore + ROUNDS);
        Await.until("all connections are closed", () -> connections() == before);
    }

    @Test
    void clientWithoutAnAddressIsRefusedWithTheReason() {
        assertThatThrownBy(() -> ReactiveRedisLocks.create(clientOf(null)))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("RedisURI");
        assertThatThrownBy(() -> ReactiveRedisLocks.builder(clientOf(null)).connect().block(Await.PATIENCE))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("RedisURI");
    }

    private static RedisClient clientOf(RedisURI uri) {
        return FIXTURE.client(uri, ClientOptions.create());
    }

    private static RedisURI uri() {
        return RedisURI.create(FIXTURE.server().uri());
    }

    private static int portOfNobody() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static long connections() {
        return FIXTURE.redis().clientList().lines().count();
    }

    /** Connections that the server has accepted since its start. */
    private static long received() {
        return FIXTURE.redis().info("stats").lines()
                .filter(line -> line.startsWith("total_connections_received:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).trim()))
                .findFirst().orElseThrow();
    }
}
