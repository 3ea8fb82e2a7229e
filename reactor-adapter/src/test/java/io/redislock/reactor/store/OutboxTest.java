package io.redislock.reactor.store;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.OwnerToken;
import io.redislock.protocol.OwnerTokens;
import io.redislock.testsupport.FaultProxy;
import io.redislock.testsupport.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/** Commands are sent together where there are many, and none is left behind. Writes are counted by the server. */
class OutboxTest {

    private static final Duration LIFE = Duration.ofMinutes(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final AtomicInteger KEYS = new AtomicInteger();

    private final OwnerTokens tokens = new OwnerTokens(new SecureRandom());
    private final RedisServer server = RedisServer.start();
    private final RedisClient client = RedisClient.create(server.uri());
    private final StatefulRedisConnection<String, String> observer = client.connect();
    private final List<Runnable> closing = new ArrayList<>();
    private LettuceLockStore store = connect(client);

    @AfterEach
    void close() {
        store.close().block(PATIENCE);
        closing.forEach(Runnable::run);
        client.shutdown();
        server.close();
    }

    @Test
    void loneCommandOfAnotherThreadIsSentAtOnce() {
        for (int i = 0; i < 2_000; i++) {
            assertThat(acquire().block(PATIENCE)).isTrue();
        }
    }

    @Test
    void everyCommandOfABurstThatStopsIsSent() throws Exception {
        for (int burst = 1; burst <= 300; burst++) {
            int size = burst;
            CountDownLatch answered = new CountDownLatch(2 * size);
            for (int thread = 0; thread < 2; thread++) {
                Schedulers.parallel().schedule(() -> {
                    for (int i = 0; i < size; i++) {
                        acquire().subscribe(acquired -> answered.countDown());
                    }
                });
            }

            assertThat(answered.await(30, TimeUnit.SECONDS)).as("burst of 2 times " + size).isTrue();
        }
    }

    @Test
    void manyInFlightTravelTogether() {
        cycles(512, 20_000);
        long before = reads();

        cycles(512, 20_000);

        // Two commands each. The first and the last ones are few in flight, and travel alone.
        assertThat(reads() - before).isLessThan(40_000 / 16);
    }

    @Test
    void whatIsSentTogetherIsReadTogether() {
        cycles(1, 1); // so that the server knows the scripts
        LockKey key = freshKey();
        OwnerToken token = tokens.next();
        store.acquire(key, token, LIFE, TIMEOUT).block(PATIENCE);
        for (int i = 0; i < 50; i++) {
            OwnerToken next = tokens.next();
            String last = token.value();
            long before = reads();

            // On the event loop, as the release of work that Redis has answered.
            Boolean handedOn = store.query(key, TIMEOUT).flatMap(value -> {
                List<Mono<Boolean>> answers = together(store.release(key, last, TIMEOUT).map(answer -> true),
                        store.acquire(key, next, LIFE, TIMEOUT).map(answer -> answer.reply().acquired()));
                return Flux.concat(answers).all(done -> done);
            }).block(PATIENCE);

            assertThat(handedOn).isTrue();
            // The query, the two together, and the question for the count.
            assertThat(reads() - before).isEqualTo(3);
            token = next;
        }
    }

    @Test
    void whoIsAboutToSendSeveralHoldsNobodyElseUp() throws Exception {
        cycles(1, 1);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Schedulers.boundedElastic().schedule(() -> store.together(() -> {
            inside.countDown();
            try {
                goOn.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        inside.await();

        assertThat(acquire().block(PATIENCE)).isTrue();
        goOn.countDown();
    }

    @Test
    void nothingIsLeftBehindWhenTheConnectionIsReMade() {
        FaultProxy proxy = FaultProxy.to(server);
        RedisClient faulty = RedisClient.create(proxy.uri());
        LettuceLockStore broken = connect(faulty);
        closing.add(() -> {
            broken.close().block(PATIENCE);
            faulty.shutdown();
            proxy.close();
        });
        Disposable cutting = Flux.interval(Duration.ofMillis(50)).take(40).subscribe(tick -> proxy.cut());

        Long ended = Flux.range(0, 20_000)
                .flatMap(i -> broken.acquire(freshKey(), tokens.next(), LIFE, TIMEOUT)
                        .map(answer -> answer.reply().acquired())
                        .onErrorReturn(StoreFailure.class, false), 64)
                .count()
                .block(PATIENCE);

        assertThat(ended).isEqualTo(20_000);
        cutting.dispose();
    }

    @Test
    void cancelledBeforeItIsWrittenIsNeverSentAndHoldsNothingUp() {
        List<LockKey> cancelled = new ArrayList<>();
        for (int round = 0; round < 200; round++) {
            // On the event loop, where what is added last is not written before the turn ends.
            Long answered = store.query(freshKey(), TIMEOUT).then(Mono.defer(() -> {
                List<Mono<Boolean>> others = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    LockKey key = freshKey();
                    Mono<Boolean> one = store.acquire(key, tokens.next(), LIFE, TIMEOUT)
                            .map(answer -> answer.reply().acquired());
                    others.add(subscribed(one));
                }
                LockKey key = freshKey();
                cancelled.add(key);
                store.acquire(key, tokens.next(), LIFE, TIMEOUT).subscribe().dispose();
                return Flux.merge(others).count();
            })).block(PATIENCE);

            assertThat(answered).isEqualTo(40);
        }

        assertThat(cancelled.stream().filter(key -> observer.sync().exists(key.onTheWire()) == 1).count())
                .as("most of them were not written yet").isLessThan(100);
    }

    @Test
    void boundedQueueRefusesWhatDoesNotFitAndNoMore() {
        RedisClient bounded = RedisClient.create(server.uri());
        bounded.setOptions(ClientOptions.builder().requestQueueSize(20).build());
        LettuceLockStore small = connect(bounded);
        closing.add(() -> {
            small.close().block(PATIENCE);
            bounded.shutdown();
        });

        Long acquired = Flux.range(0, 200)
                .flatMap(i -> small.acquire(freshKey(), tokens.next(), LIFE, TIMEOUT)
                        .onErrorResume(StoreFailure.class, refused -> Mono.empty()), 200)
                .count()
                .block(PATIENCE);

        assertThat(acquired).isBetween(20L, 200L);
        assertThat(small.acquire(freshKey(), tokens.next(), LIFE, TIMEOUT).block(PATIENCE).reply().acquired()).isTrue();
    }

    @Test
    void callsAfterTheClientWasShutDownFail() {
        RedisClient other = RedisClient.create(server.uri());
        LettuceLockStore orphaned = connect(other);
        orphaned.query(freshKey(), TIMEOUT).block(PATIENCE);
        other.shutdown(Duration.ZERO, Duration.ofSeconds(5));

        Long failed = Flux.range(0, 100)
                .flatMap(i -> orphaned.acquire(freshKey(), tokens.next(), LIFE, Duration.ofMillis(500))
                        .map(answer -> 0)
                        .onErrorReturn(StoreFailure.class, 1), 100)
                .filter(one -> one == 1)
                .count()
                .block(PATIENCE);

        assertThat(failed).isEqualTo(100);
    }

    private static LettuceLockStore connect(RedisClient client) {
        return new LettuceLockStore(client.connect(StringCodec.UTF8));
    }

    private Mono<Boolean> acquire() {
        return store.acquire(freshKey(), tokens.next(), LIFE, TIMEOUT).map(answer -> answer.reply().acquired());
    }

    private void cycles(int inFlight, int count) {
        Flux.range(0, count)
                .flatMap(i -> {
                    LockKey key = LockKey.of("", "cycle:" + i % inFlight);
                    OwnerToken token = tokens.next();
                    return store.acquire(key, token, LIFE, TIMEOUT)
                            .then(Mono.defer(() -> store.release(key, token.value(), TIMEOUT)));
                }, inFlight)
                .blockLast(PATIENCE);
    }

    private List<Mono<Boolean>> together(Mono<Boolean> first, Mono<Boolean> second) {
        List<Mono<Boolean>> answers = new ArrayList<>();
        store.together(() -> {
            answers.add(subscribed(first));
            answers.add(subscribed(second));
        });
        return answers;
    }

    /** Sent now, its answer for later. */
    private static <T> Mono<T> subscribed(Mono<T> call) {
        return Mono.fromFuture(call.toFuture());
    }

    private long reads() {
        return observer.sync().info("stats").lines()
                .filter(line -> line.startsWith("total_reads_processed:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
                .findFirst().orElseThrow();
    }

    private static LockKey freshKey() {
        return LockKey.of("", "outbox:" + KEYS.incrementAndGet());
    }
}
