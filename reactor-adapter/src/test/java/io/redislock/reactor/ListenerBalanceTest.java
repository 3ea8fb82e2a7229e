package io.redislock.reactor;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.SetArgs;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redislock.LockListener;
import io.redislock.LockLoss;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import io.redislock.reactor.micrometer.MicrometerLockListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What listeners count on, whenever a call is cancelled and however a lock ends: one outcome for each acquisition, one
 * end for each lock that was acquired, and one end for each wait. Every round has a key of its own.
 */
class ListenerBalanceTest {

    private static final int ROUNDS = Rounds.of(10_000);
    private static final Duration MINUTE = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(5);
    private static final LockOptions OPTIONS = LockOptions.defaults().expiry(MINUTE);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onTheSharedServer();

    private final Map<String, Told> toldOf = new ConcurrentHashMap<>();
    private final AtomicInteger worked = new AtomicInteger();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder
            .listener(new Counting()).listener(new MicrometerLockListener(registry)));
    private final String prefix = FIXTURE.freshKey() + ":";

    @Test
    void whatBeginsEndsOnce() throws InterruptedException {
        new CancelRounds(ROUNDS, worked::get).cancelling(this::call);
        // And some that nobody cancels, so that each way is gone to its end for certain.
        Flux.range(ROUNDS, 50).concatMap(round -> Flux.from(call(round)).onErrorComplete()).blockLast(Await.PATIENCE);
        Await.until("all have ended", () -> toldOf.values().stream().allMatch(Told::isOver));
        locks.close().block(Await.PATIENCE);

        assertThat(toldOf).allSatisfy((key, told) -> assertThat(told.isBalanced()).as("%s: %s", key, told).isTrue());
        assertThat(toldOf.size()).as("those whose key was foreign at first may be cancelled before they begin")
                .isBetween(ROUNDS * 4 / 5, ROUNDS + 50);
        System.out.println("all: " + sum());
        assertThat(sum().released).hasPositiveValue();
        assertThat(sum().lost).hasPositiveValue();
        assertThat(registry.get("redislock.held").gauge().value()).isZero();
        assertThat(registry.get("redislock.waiting").gauge().value()).isZero();
    }

    private Publisher<?> call(int round) {
        String key = prefix + round;
        return switch (round % 5) {
            case 0 -> locks.withLock(key, OPTIONS, lock -> work());
            case 1 -> Flux.usingWhen(locks.acquire(key, OPTIONS), lock -> work(), RedisLock::release);
            case 2 -> FIXTURE.reactiveRedis().set(key, "another", SetArgs.Builder.px(SHORT))
                    .then(locks.withLock(key, OPTIONS.retry(round % 2, Duration.ofMillis(1)), lock -> work()));
            case 3 -> locks.withLock(key, OPTIONS, lock -> FIXTURE.reactiveRedis().del(key).then(work()));
            default -> locks.withLockMany(key, OPTIONS.expiry(SHORT), lock -> work().then(Mono.never()));
        };
    }

    private Mono<Long> work() {
        return Mono.fromRunnable(worked::incrementAndGet).then(Mono.delay(Duration.ofNanos(200_000)));
    }

    private Told sum() {
        Told sum = new Told();
        toldOf.values().forEach(sum::add);
        return sum;
    }

    /** What was told of one key. */
    private static final class Told {

        private final AtomicInteger acquired = new AtomicInteger();
        private final AtomicInteger notAcquired = new AtomicInteger();
        private final AtomicInteger unavailable = new AtomicInteger();
        private final AtomicInteger abandoned = new AtomicInteger();
        private final AtomicInteger released = new AtomicInteger();
        private final AtomicInteger lost = new AtomicInteger();
        private final AtomicInteger waiting = new AtomicInteger();
        private final AtomicInteger waitEnded = new AtomicInteger();

        boolean isOver() {
            return outcomes() > 0 && acquired.get() <= ends() && waiting.get() <= waitEnded.get();
        }

        boolean isBalanced() {
            return outcomes() == 1 && acquired.get() == ends() && waiting.get() <= 1
                    && waiting.get() == waitEnded.get();
        }

        void add(Told other) {
            acquired.addAndGet(other.acquired.get());
            notAcquired.addAndGet(other.notAcquired.get());
            unavailable.addAndGet(other.unavailable.get());
            abandoned.addAndGet(other.abandoned.get());
            released.addAndGet(other.released.get());
            lost.addAndGet(other.lost.get());
            waiting.addAndGet(other.waiting.get());
            waitEnded.addAndGet(other.waitEnded.get());
        }

        private int outcomes() {
            return acquired.get() + notAcquired.get() + unavailable.get() + abandoned.get();
        }

        private int ends() {
            return released.get() + lost.get();
        }

        @Override
        public String toString() {
            return "acquired " + acquired + ", notAcquired " + notAcquired + ", unavailable " + unavailable
                    + ", abandoned " + abandoned + ", released " + released + ", lost " + lost + ", waiting " + waiting
                    + ", waitEnded " + waitEnded;
        }
    }

    private final class Counting implements LockListener {

        private Told of(String key) {
            return toldOf.computeIfAbsent(key, first -> new Told());
        }

        @Override
        public void acquired(String name, String key, Duration waited, long attempts) {
            of(key).acquired.incrementAndGet();
        }

        @Override
        public void waiting(String name, String key) {
            of(key).waiting.incrementAndGet();
        }

        @Override
        public void waitEnded(String name, String key) {
            of(key).waitEnded.incrementAndGet();
        }

        @Override
        public void notAcquired(String name, String key, Duration waited, long attempts) {
            of(key).notAcquired.incrementAndGet();
        }

        @Override
        public void unavailable(String name, String key, Duration waited, LockUnavailableException failure) {
            of(key).unavailable.incrementAndGet();
        }

        @Override
        public void abandoned(String name, String key, Duration waited) {
            of(key).abandoned.incrementAndGet();
        }

        @Override
        public void lost(String name, String key, LockLoss reason, Duration heldFor) {
            of(key).lost.incrementAndGet();
        }

        @Override
        public void released(String name, String key, Duration heldFor) {
            of(key).released.incrementAndGet();
        }
    }
}
