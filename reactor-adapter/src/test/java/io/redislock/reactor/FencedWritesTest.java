package io.redislock.reactor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import io.redislock.protocol.DestinationKey;
import io.redislock.testsupport.FaultProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** A destination in Redis refuses what an earlier holder of a lock writes after a later one. */
class FencedWritesTest {

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final String key = FIXTURE.freshKey();
    private FencedWrites writes;

    @BeforeEach
    void connect() {
        writes = FencedWrites.create(FIXTURE.client());
    }

    @AfterEach
    void disconnect() {
        writes.close().block(Await.PATIENCE);
    }

    @Test
    void writeWithTheFirstTokenIsAccepted() {
        assertThat(set("first", 33)).isTrue();

        assertThat(FIXTURE.redis().get(key)).isEqualTo("first");
    }

    @Test
    void staleWriteChangesNothing() {
        set("second", 34);

        assertThat(set("first", 33)).isFalse();

        assertThat(FIXTURE.redis().get(key)).isEqualTo("second");
        assertThat(FIXTURE.redis().get(companion())).isEqualTo("34");
    }

    @Test
    void holderMayWriteMoreThanOnce() {
        assertThat(set("a", 33)).isTrue();
        assertThat(set("b", 33)).isTrue();

        assertThat(FIXTURE.redis().get(key)).isEqualTo("b");
    }

    @Test
    void staleDeleteChangesNothingAndAFreshOneIsRemembered() {
        set("text", 34);

        assertThat(writes.delete(key, 33).block()).isFalse();
        assertThat(FIXTURE.redis().get(key)).isEqualTo("text");
        assertThat(writes.delete(key, 35).block()).isTrue();
        assertThat(FIXTURE.exists(key)).isFalse();
        assertThat(set("late", 34)).as("older than the delete").isFalse();
        assertThat(writes.delete(key, 36).block()).as("nothing there").isTrue();
    }

    @Test
    void lastTokenHasNoExpiryAndTheWriteRemovesThatOfTheKey() {
        FIXTURE.redis().set(key, "brief", SetArgs.Builder.ex(60));

        set("text", 33);

        assertThat(FIXTURE.redis().pttl(companion())).isEqualTo(-1);
        assertThat(FIXTURE.redis().pttl(key)).isEqualTo(-1);
    }

    @Test
    void destinationOfAnotherTypeIsReplaced() {
        FIXTURE.redis().rpush(key, "a list");

        assertThat(set("text", 33)).isTrue();

        assertThat(FIXTURE.redis().get(key)).isEqualTo("text");
    }

    @Test
    void tokensAreComparedAsNumbers() {
        set("tenth", 10);

        assertThat(set("ninth", 9)).isFalse();
        assertThat(writes.delete(key, 9).block()).isFalse();
        assertThat(set("hundredth", 100)).isTrue();
    }

    /** A write to it would be a holder that never ends, and a delete would end the exclusion. */
    @Test
    void keyOfTheLockItselfIsRefused() {
        String worked = FIXTURE.locks().withLock(key, LockOptions.defaults().fenced(), lock -> {
            long token = lock.fencingToken().getAsLong();
            return writes.set(key, "text", token)
                    .flatMap(done -> Mono.<String>error(new AssertionError("written")))
                    .onErrorResume(LockUnavailableException.class, refused -> writes.delete(key, token)
                            .flatMap(done -> Mono.<String>error(new AssertionError("deleted")))
                            .onErrorReturn(LockUnavailableException.class, String.valueOf(refused.getMessage())));
        }).block(Await.PATIENCE);

        assertThat(worked).contains(key).contains("fenced lock");
        assertThat(FIXTURE.exists(companion())).isFalse();
    }

    @Test
    void deleteWithTheLastTokenNeedsNoMemory() {
        set("text", 33);
        FIXTURE.redis().configSet("maxmemory", "1");
        try {
            assertThat(writes.delete(key, 33).block()).isTrue();
        } finally {
            FIXTURE.redis().configSet("maxmemory", "0");
        }
    }

    @Test
    void destinationsDoNotKnowOfEachOther() {
        set("text", 34);

        assertThat(writes.set(FIXTURE.freshKey(), "text", 33).block()).isTrue();
    }

    @Test
    void eachWriteIsOneRoundTrip() {
        set("loads", 1);
        writes.delete(key, 1).block();
        FIXTURE.resetStats();

        set("text", 2);
        writes.delete(key, 2).block();

        assertThat(FIXTURE.scriptCalls()).isEqualTo(2);
    }

    /** In whatever order they arrive, the last one accepted is the greatest, and what was accepted only grew. */
    @Test
    void greatestTokenWinsWhateverTheOrder() {
        Random random = new Random(7);
        for (int round = 0; round < Rounds.of(400); round++) {
            String each = FIXTURE.freshKey();
            List<Long> tokens = new ArrayList<>(LongStream.rangeClosed(1, 20).boxed().toList());
            Collections.shuffle(tokens, random);

            List<Long> accepted = Flux.fromIterable(tokens)
                    .flatMapSequential(token -> writes.set(each, "by " + token, token)
                            .filter(done -> done).map(done -> token))
                    .collectList().block(Await.PATIENCE);

            assertThat(accepted).isSorted().contains(20L);
            assertThat(FIXTURE.redis().get(each)).isEqualTo("by 20");
        }
    }

    /** The story: paused past its lease, overtaken, and woken again. */
    @Test
    void lateWriteOfAHolderWhoseLeaseRanOutIsRefused() {
        String lockKey = FIXTURE.freshKey();
        RedisLock first = FIXTURE.acquireBriefly(lockKey, Duration.ofMillis(50));
        assertThat(first.fencingToken()).isEmpty();
        LockOptions brief = LockOptions.defaults().expiry(Duration.ofMillis(200)).fenced();
        RedisLock paused = FIXTURE.locks().acquire(lockKey, brief.waitAtMost(Await.PATIENCE)).block(Await.PATIENCE);
        RedisLock next = FIXTURE.locks().acquire(lockKey, LockOptions.defaults().waitAtMost(Await.PATIENCE).fenced())
                .block(Await.PATIENCE);
        assertThat(set("of the next", next.fencingToken().getAsLong())).isTrue();

        assertThat(set("late", paused.fencingToken().getAsLong())).isFalse();

        assertThat(FIXTURE.redis().get(key)).isEqualTo("of the next");
        next.release().block();
    }

    @Test
    void emptyTextIsAValue() {
        assertThat(set("", 33)).isTrue();

        assertThat(FIXTURE.redis().get(key)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1L << 53, Long.MAX_VALUE, Long.MIN_VALUE})
    void numberThatWasNeverMintedIsRefusedAtOnce(long token) {
        assertThatIllegalArgumentException().isThrownBy(() -> writes.set(key, "text", token))
                .withMessageContaining("token").withMessageEndingWith(": " + token);
        assertThatIllegalArgumentException().isThrownBy(() -> writes.delete(key, token));
    }

    @Test
    void badArgumentsAreRefusedByName() {
        assertThatNullPointerException().isThrownBy(() -> writes.set(null, "text", 1)).withMessage("key");
        assertThatNullPointerException().isThrownBy(() -> writes.set(key, null, 1)).withMessage("value");
        assertThatNullPointerException().isThrownBy(() -> writes.delete(null, 1)).withMessage("key");
        assertThatNullPointerException().isThrownBy(() -> FencedWrites.create(null)).withMessage("client");
        assertThatNullPointerException().isThrownBy(() -> FencedWrites.connect(FIXTURE.client(), null))
                .withMessage("uri");
        assertThatIllegalArgumentException().isThrownBy(() -> writes.set("", "text", 1));
        assertThatIllegalArgumentException().isThrownBy(() -> writes.set(key, "\uD83D", 1))
                .withMessageContaining("value");
    }

    @Test
    void nothingIsWrittenBeforeSubscriptionAndEachSubscriptionWrites() {
        Mono<Boolean> writing = writes.set(key, "text", 33);
        assertThat(FIXTURE.exists(key)).isFalse();

        writing.block();
        FIXTURE.redis().del(key);
        writing.block();

        assertThat(FIXTURE.exists(key)).isTrue();
    }

    @Test
    void companionThatHoldsSomethingElseIsAnErrorAndNothingIsWritten() {
        FIXTURE.redis().set(companion(), "text");

        assertThatThrownBy(() -> set("text", 33)).isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining(key).hasMessageContaining("redislock:accepted")
                .satisfies(error -> assertThat(((LockUnavailableException) error).outcomeUnknown()).isFalse());
        assertThatThrownBy(() -> writes.delete(key, 33).block()).isInstanceOf(LockUnavailableException.class);
        assertThat(FIXTURE.exists(key)).isFalse();
    }

    @Test
    void serverThatDoesNotAnswerIsUnavailableWithAnUnknownOutcome() {
        FIXTURE.server().pause();

        LockUnavailableException unavailable =
                catchThrowableOfType(LockUnavailableException.class, () -> set("text", 33));

        assertThat(unavailable.outcomeUnknown()).isTrue();
        assertThat(unavailable.key()).isEqualTo(key);
    }

    @Test
    void writeSentTwiceIsAcceptedOnce() {
        try (FaultProxy proxy = FaultProxy.to(FIXTURE.server())) {
            RedisClient client = FIXTURE.client(proxy.uri(), FIXTURE.client().getOptions());
            FencedWrites behind = FencedWrites.connect(client, RedisURI.create(proxy.uri())).block(Await.PATIENCE);
            set("loads", 1);
            FIXTURE.resetStats();
            proxy.cutOnNextReply(1);

            assertThat(behind.set(key, "text", 33).block(Await.PATIENCE)).isTrue();

            assertThat(FIXTURE.calls("evalsha")).as("sent twice").isEqualTo(2);

            assertThat(FIXTURE.redis().get(key)).isEqualTo("text");
            behind.close().block(Await.PATIENCE);
        }
    }

    @Test
    void closedWritesFailAndClosingTwiceIsTheSame() {
        writes.close().block(Await.PATIENCE);
        writes.close().block(Await.PATIENCE);

        assertThatThrownBy(() -> set("text", 33)).isInstanceOf(LockUnavailableException.class);
    }

    @Test
    void writeThatIsUnderWayWhenTheyAreClosedFailsAtOnce() {
        FIXTURE.server().pause();
        CompletableFuture<Boolean> writing = writes.set(key, "text", 33).toFuture();

        writes.close().block(Await.PATIENCE);

        assertThat(writing).failsWithin(Await.PATIENCE).withThrowableThat()
                .withCauseInstanceOf(LockUnavailableException.class);
    }

    @Test
    void connectionThatComesUpAfterACancelIsClosed() {
        RedisClient client = FIXTURE.client(FIXTURE.server().uri(), FIXTURE.client().getOptions());
        long before = connections();
        Random random = new Random();

        for (int i = 0; i < Rounds.of(400); i++) {
            Disposable connecting = FencedWrites.connect(client, RedisURI.create(FIXTURE.server().uri()))
                    .subscribe(made -> made.close().subscribe());
            LockSupport.parkNanos(random.nextInt(2_000_000));
            connecting.dispose();
        }

        Await.until("all are closed", () -> connections() == before);
    }

    private static long connections() {
        return FIXTURE.redis().clientList().lines().count();
    }

    @Test
    void signalsArriveWhereTheClientWantsThem() {
        RedisClient client = FIXTURE.client(FIXTURE.server().uri(),
                ClientOptions.builder().publishOnScheduler(true).build());
        FencedWrites elsewhere = FencedWrites.create(client);

        String thread = elsewhere.set(key, "text", 33).map(done -> Thread.currentThread().getName()).block();

        assertThat(thread).contains("eventExecutorLoop");
        elsewhere.close().block();
    }

    @Test
    void longestKeyIsADestination() {
        assertThat(writes.set("k".repeat(65_536), "text", 33).block()).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> writes.set("k".repeat(65_537), "text", 33));
        writes.delete("k".repeat(65_536), 33).block();
    }

    @Test
    void clientWithoutAutoReconnectIsRefused() {
        RedisClient once = FIXTURE.client(FIXTURE.server().uri(),
                ClientOptions.builder().autoReconnect(false).build());

        assertThatIllegalArgumentException().isThrownBy(() -> FencedWrites.create(once))
                .withMessageContaining("auto-reconnect");
    }

    private Boolean set(String value, long token) {
        return writes.set(key, value, token).block(Await.PATIENCE);
    }

    private String companion() {
        return DestinationKey.of(key).companion();
    }
}
