package io.redislock.reactor;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

import io.redislock.LockListener;
import io.redislock.LockLoss;
import io.redislock.LockOptions;
import io.redislock.LockState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A renewed lock whose handle nobody can reach any more is released; one that somebody uses, or will release, is not.
 *
 * <p>The server counts deletions, and a key is renewed two thirds of its expiry before it would end: so what is gone
 * right after the event was deleted.
 */
@Tag("long")
class DroppedHandleTest {

    private static final Duration EXPIRY = Duration.ofSeconds(1);
    private static final LockOptions RENEWED = LockOptions.defaults().expiry(EXPIRY).autoRenew(Duration.ofMinutes(5));
    /** More than fit into two expiries without a renewal, as these come every 300 ms at most. */
    private static final int MANY_RENEWALS = 7;
    private static final Duration BETWEEN_COLLECTIONS = Duration.ofMillis(100);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final Map<String, AtomicInteger> extended = new ConcurrentHashMap<>();
    private final Map<String, Duration> released = new ConcurrentHashMap<>();
    private final Map<String, LockLoss> lost = new ConcurrentHashMap<>();
    private final ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder.listener(new LockListener() {

        @Override
        public void extended(String name, String key) {
            extended.computeIfAbsent(key, first -> new AtomicInteger()).incrementAndGet();
        }

        @Override
        public void released(String name, String key, Duration heldFor) {
            released.put(key, heldFor);
        }

        @Override
        public void lost(String name, String key, LockLoss reason, Duration heldFor) {
            lost.put(key, reason);
        }
    }));
    private final String key = FIXTURE.freshKey();
    private LoggedLines log;
    private long collectedAt = System.nanoTime();

    @BeforeEach
    void readTheLog() {
        log = new LoggedLines();
        FIXTURE.resetStats();
    }

    @AfterEach
    void giveTheLogBack() {
        log.close();
    }

    /** Ways to be left without the handle at once. */
    static Stream<Arguments> waysToDropIt() {
        return Stream.of(
                way("result ignored", Mono::then),
                way("only the value kept", acquired -> acquired.map(RedisLock::value)),
                way("used, and then forgotten", acquired -> acquired.flatMap(lock -> lock.extend(EXPIRY))));
    }

    private static Arguments way(String name, Function<Mono<RedisLock>, Mono<?>> dropping) {
        return Arguments.argumentSet(name, dropping);
    }

    @ParameterizedTest
    @MethodSource("waysToDropIt")
    void handleThatWasNeverKeptIsReleasedAndLogged(Function<Mono<RedisLock>, Mono<?>> dropping) {
        dropping.apply(locks.acquire(key, RENEWED)).block(Await.PATIENCE);

        collectUntilReleased();
    }

    @Test
    void handleThatIsForgottenAfterManyRenewalsIsReleasedAndLogged() {
        RedisLock[] kept = {locks.acquire(key, RENEWED).block(Await.PATIENCE)};
        collectUntilRenewedManyTimes(List.of(key));
        assertThat(released).isEmpty();

        kept[0] = null;

        collectUntilReleased();
        assertThat(released.get(key)).as("held for").isGreaterThan(EXPIRY.multipliedBy(2));
    }

    @Test
    void handleThatAZipWithAnEmptyPartnerDropsIsReleasedAndLogged() {
        Sinks.Empty<Void> partner = Sinks.empty();
        Mono.zip(locks.acquire(key, RENEWED), partner.asMono()).subscribe();
        collectUntilRenewedManyTimes(List.of(key));
        assertThat(released).isEmpty();

        partner.tryEmitEmpty();

        collectUntilReleased();
        assertThat(released.get(key)).as("held for").isGreaterThan(EXPIRY.multipliedBy(2));
    }

    @Test
    void handleThatIsKeptIsNotDropped() {
        RedisLock lock = locks.acquire(key, RENEWED).block(Await.PATIENCE);

        collectUntilRenewedManyTimes(List.of(key));

        assertThat(lock.state()).isEqualTo(LockState.HELD);
        assertThat(lock.release().block(Await.PATIENCE)).isTrue();
        assertThat(log.naming(key)).isEmpty();
        Reference.reachabilityFence(lock);
    }

    @Test
    void whatAHandleReturnsKeepsIt() {
        String second = FIXTURE.freshKey();
        Mono<Boolean> release = locks.acquire(key, RENEWED).map(RedisLock::release).block(Await.PATIENCE);
        Mono<Boolean> extension = locks.acquire(second, RENEWED).map(lock -> lock.extend(EXPIRY)).block(Await.PATIENCE);

        collectUntilRenewedManyTimes(List.of(key, second));

        assertThat(release.block(Await.PATIENCE)).isTrue();
        assertThat(extension.block(Await.PATIENCE)).isTrue();
        assertThat(log.naming(key)).isEmpty();
        assertThat(log.naming(second)).isEmpty();
    }

    @Test
    void lockInUseIsNotDropped() {
        Sinks.Empty<Void> end = Sinks.empty();
        Map<String, Publisher<?>> uses = uses(end.asMono());
        uses.put(key + ":flatMap", locks.acquire(key + ":flatMap", RENEWED)
                .flatMap(lock -> end.asMono().then(lock.release())));
        uses.values().forEach(use -> Flux.from(use).subscribe());

        heldOverManyRenewals(uses.keySet());

        end.tryEmitEmpty();
        releasedWithoutAWordInTheLog(uses.keySet());
    }

    @Test
    void lockInUseThatOnlyItsDisposableReachesIsNotDropped() {
        Map<String, Publisher<?>> uses = uses(Mono.never());
        List<Disposable> working = uses.values().stream().map(use -> Flux.from(use).subscribe()).toList();

        heldOverManyRenewals(uses.keySet());

        working.forEach(Disposable::dispose);
        releasedWithoutAWordInTheLog(uses.keySet());
    }

    /** By key: uses with this work, which does not know its lock. */
    private Map<String, Publisher<?>> uses(Mono<Void> work) {
        Map<String, Publisher<?>> uses = new HashMap<>();
        uses.put(key + ":withLock", locks.withLock(key + ":withLock", RENEWED, lock -> work));
        uses.put(key + ":withLockMany", locks.withLockMany(key + ":withLockMany", RENEWED, lock -> work));
        uses.put(key + ":Mono.usingWhen", Mono.usingWhen(
                locks.acquire(key + ":Mono.usingWhen", RENEWED), lock -> work, RedisLock::release));
        uses.put(key + ":Flux.usingWhen", Flux.usingWhen(
                locks.acquire(key + ":Flux.usingWhen", RENEWED), lock -> work, RedisLock::release));
        return uses;
    }

    private void heldOverManyRenewals(Collection<String> keys) {
        collectUntilRenewedManyTimes(keys);
        assertThat(released).isEmpty();
        assertThat(FIXTURE.redis().exists(keys.toArray(String[]::new))).isEqualTo(keys.size());
    }

    private void releasedWithoutAWordInTheLog(Collection<String> keys) {
        Await.until("all are released", () -> released.keySet().containsAll(keys));
        assertThat(FIXTURE.redis().exists(keys.toArray(String[]::new))).isZero();
        assertThat(lost).isEmpty();
        assertThat(keys).flatMap(log::naming).isEmpty();
    }

    /** Collects garbage all the while. */
    private void collectUntilRenewedManyTimes(Collection<String> keys) {
        Await.until("all were renewed many times", () -> {
            collect();
            return keys.stream().allMatch(each -> extended.containsKey(each)
                    && extended.get(each).get() >= MANY_RENEWALS);
        });
    }

    /** Not at each call, because everything stands still during a collection. */
    private void collect() {
        if (System.nanoTime() - collectedAt > BETWEEN_COLLECTIONS.toNanos()) {
            System.gc();
            collectedAt = System.nanoTime();
        }
    }

    private void collectUntilReleased() {
        Await.until("the dropped lock is released", () -> {
            collect();
            return released.containsKey(key);
        });
        assertThat(FIXTURE.exists(key)).isFalse();
        assertThat(FIXTURE.calls("del")).as("deletions").isEqualTo(1);
        assertThat(lost).isEmpty();
        assertThat(log.naming(key)).singleElement().asString().contains("WARN").contains("dropped without a release");
    }
}
