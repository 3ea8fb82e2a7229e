package io.redislock.reactor;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.redislock.LockOptions;
import io.redislock.testsupport.FaultProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** On which thread values, completions and errors arrive. */
class SignalThreadTest {

    private static final Duration EXPIRY = Duration.ofSeconds(60);
    private static final LockOptions ONCE = LockOptions.defaults().expiry(EXPIRY).retry(0, EXPIRY);
    private static final String SIGNALS = "signals";
    private static final String EVENT_LOOP = "lettuce-.*EventLoop.*";

    /** Signals of each kind, on a key that is free at first and is not freed. */
    private static final Map<String, BiFunction<ReactiveRedisLocks, String, Mono<?>>> OPERATIONS = new TreeMap<>(Map.of(
            "1 query is empty", (locks, key) -> locks.query(key),
            "2 extend is false", (locks, key) -> locks.extend(key, "ours", EXPIRY),
            "3 release is false", (locks, key) -> locks.release(key, "ours"),
            "4 withLock has a value", (locks, key) -> locks.withLock(key, lock -> Mono.just("worked")),
            "5 acquire has a lock", (locks, key) -> locks.acquire(key),
            "6 acquire is empty", (locks, key) -> locks.acquire(key, ONCE),
            "7 withLock is busy", (locks, key) -> locks.withLock(key, ONCE, lock -> Mono.just("worked")),
            "8 take is false", (locks, key) -> locks.take(key, "ours", EXPIRY),
            "9 query has a value", (locks, key) -> locks.query(key)));

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onTheSharedServer();

    /** Lives as long as the JVM: the event loop may still be about to leave its queue when a test ends. */
    private static final Scheduler SCHEDULER = Schedulers.newSingle(SIGNALS, true);

    private final String key = FIXTURE.freshKey();

    @Test
    void withoutASchedulerSignalsArriveOnLettucesEventLoop() {
        everythingArrivesOn(EVENT_LOOP, FIXTURE.locks());
    }

    @Test
    void withASchedulerSignalsArriveOnIt() {
        everythingArrivesOn(SIGNALS + "-\\d+", FIXTURE.locks(builder -> builder.scheduler(SCHEDULER)));
    }

    @Test
    void clientThatPublishesOnASchedulerIsHonoured() {
        RedisClient client = FIXTURE.client(FIXTURE.server().uri(),
                ClientOptions.builder().publishOnScheduler(true).build());

        everythingArrivesOn("lettuce-eventExecutorLoop-.*", FIXTURE.locks(client, builder -> builder));
    }

    @Test
    void schedulerOfTheBuilderWinsOverThatOfTheClient() {
        RedisClient client = FIXTURE.client(FIXTURE.server().uri(),
                ClientOptions.builder().publishOnScheduler(true).build());

        everythingArrivesOn(SIGNALS + "-\\d+", FIXTURE.locks(client, builder -> builder.scheduler(SCHEDULER)));
    }

    private void everythingArrivesOn(String threadName, ReactiveRedisLocks locks) {
        OPERATIONS.forEach((name, operation) ->
                assertThat(threadOf(operation.apply(locks, key))).as(name).matches(threadName));
        assertThat(FIXTURE.exists(key)).as("the fifth took it").isTrue();

        RedisLock lock = locks.acquire(FIXTURE.freshKey()).block(Await.PATIENCE);
        assertThat(threadOf(lock.extend(EXPIRY))).as("extend of the handle").matches(threadName);
        assertThat(threadOf(lock.release())).as("release of the handle").matches(threadName);
        assertThat(locks.withLock(FIXTURE.freshKey(), held -> Mono.just(Thread.currentThread().getName())).block())
                .as("call of the work").matches(threadName);
        assertThat(locks.withLockMany(FIXTURE.freshKey(), held -> Mono.just(Thread.currentThread().getName()))
                .blockLast()).as("call of the work of many").matches(threadName);

        String list = FIXTURE.freshKey();
        FIXTURE.redis().rpush(list, "a list");
        assertThat(threadOf(locks.take(list, "ours", EXPIRY))).as("error of take").matches(threadName);
        assertThat(threadOf(locks.acquire(list))).as("error of acquire").matches(threadName);
        assertThat(threadOf(locks.query(list))).as("error of query").matches(threadName);
    }

    @Test
    void timeoutsArriveOnTheSchedulerToo() {
        try (FaultProxy proxy = FaultProxy.to(FIXTURE.server())) {
            ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder
                    .uri(RedisURI.create(proxy.uri()))
                    .scheduler(SCHEDULER)
                    .defaults(ONCE.commandTimeout(Duration.ofMillis(50))));
            RedisLock lock = locks.acquire(key).block(Await.PATIENCE);
            proxy.blackhole(true);

            assertThat(threadOf(locks.acquire(FIXTURE.freshKey()))).startsWith(SIGNALS);
            assertThat(threadOf(locks.take(FIXTURE.freshKey(), "ours", EXPIRY))).startsWith(SIGNALS);
            assertThat(threadOf(locks.query(key))).startsWith(SIGNALS);
            assertThat(threadOf(lock.extend(EXPIRY))).startsWith(SIGNALS);
            assertThat(threadOf(lock.release())).startsWith(SIGNALS);
        }
    }

    @Test
    void waitThatEndsAfterRetriesArrivesOnTheSchedulerToo() {
        ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder.scheduler(SCHEDULER));
        FIXTURE.put(key, "another", EXPIRY);

        assertThat(threadOf(locks.acquire(key, EXPIRY, 2, Duration.ofMillis(1)))).startsWith(SIGNALS);
    }

    @Test
    void connectedLocksArriveOnTheSchedulerToo() {
        Mono<ReactiveRedisLocks> connecting = ReactiveRedisLocks.builder(FIXTURE.client()).scheduler(SCHEDULER)
                .connect();
        ReactiveRedisLocks[] connected = new ReactiveRedisLocks[1];

        assertThat(threadOf(connecting.doOnNext(locks -> connected[0] = locks))).startsWith(SIGNALS);
        connected[0].close().block(Await.PATIENCE);
    }

    @Test
    void schedulerThatRefusesIsAnErrorAndLeavesNoKey() {
        AtomicBoolean refusing = new AtomicBoolean();
        ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder.scheduler(Schedulers.fromExecutor(task -> {
            if (refusing.get()) {
                throw new RejectedExecutionException("refusing");
            }
            SCHEDULER.schedule(task);
        })));
        RedisLock lock = locks.acquire(key).block(Await.PATIENCE);
        String taken = FIXTURE.freshKey();
        String acquired = FIXTURE.freshKey();
        refusing.set(true);

        assertThatThrownBy(() -> locks.take(taken, "ours", EXPIRY).block(Await.PATIENCE))
                .isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> locks.acquire(acquired).block(Await.PATIENCE))
                .isInstanceOf(RejectedExecutionException.class);
        Await.until("what was taken is released", () -> FIXTURE.redis().exists(taken, acquired) == 0);
        assertThat(lock.release().block(Await.PATIENCE)).as("never an error").isFalse();
        Await.until("what was held is released", () -> !FIXTURE.exists(key));
    }

    private static String threadOf(Mono<?> operation) {
        return operation.materialize().map(signal -> Thread.currentThread().getName()).block(Await.PATIENCE);
    }
}
