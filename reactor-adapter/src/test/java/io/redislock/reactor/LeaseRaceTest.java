package io.redislock.reactor;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.redislock.LockLoss;
import io.redislock.LockOptions;
import io.redislock.LockState;
import io.redislock.lease.LeaseClock;
import io.redislock.protocol.OwnerTokens;
import io.redislock.reactor.store.InMemoryLockStore;
import org.junit.jupiter.api.Test;
import reactor.test.util.RaceTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** Release, extension and loss at the same moment, on real threads and a store in memory: everybody gets an answer. */
class LeaseRaceTest {

    private static final int ROUNDS = Rounds.of(20_000);
    private static final LockOptions RENEWED = LockOptions.defaults().expiry(Duration.ofMinutes(1))
            .autoRenew(Duration.ofHours(1));
    private static final Duration MORE = Duration.ofMinutes(2);

    private final EventLog events = new EventLog();
    private final InMemoryLockStore store = new InMemoryLockStore(LeaseClock.system());
    private final ReactiveRedisLocks locks = new StoreRedisLocks(new LockEnvironment(store,
            new OwnerTokens(new SecureRandom()), LeaseClock.system(), null, new SafeListener(List.of(events))),
            "", RENEWED, Duration.ofSeconds(5));

    @Test
    void extensionAndReleaseBothEnd() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            RedisLock lock = locks.acquire("key").block();
            CompletableFuture<Boolean> extended = new CompletableFuture<>();
            CompletableFuture<Boolean> released = new CompletableFuture<>();

            RaceTestUtils.race(
                    () -> lock.extend(MORE).subscribe(extended::complete, extended::completeExceptionally),
                    () -> lock.release().subscribe(released::complete, released::completeExceptionally));

            assertThat(released.get(10, TimeUnit.SECONDS)).isTrue();
            assertThat(extended.get(10, TimeUnit.SECONDS)).isNotNull();
            assertThat(lock.state()).isEqualTo(LockState.RELEASED);
            assertThat(store.value("key")).isEmpty();
        }
    }

    @Test
    void lossAndReleaseAreToldAsOneOfTheTwo() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            events.names().clear();
            RedisLock lock = locks.acquire("key").block();
            CompletableFuture<LockLoss> lost = new CompletableFuture<>();
            lock.lost().subscribe(lost::complete, lost::completeExceptionally, () -> lost.complete(null));
            store.delete("key");

            // The extension finds no key: a loss, unless the release was first.
            CompletableFuture<Boolean> released = new CompletableFuture<>();
            RaceTestUtils.race(() -> lock.extend(MORE).subscribe(),
                    () -> lock.release().subscribe(released::complete));

            LockLoss loss = lost.get(10, TimeUnit.SECONDS);
            assertThat(released.get(10, TimeUnit.SECONDS)).isFalse();
            assertThat(loss == null || loss == LockLoss.DELETED).isTrue();
            Await.until("the end is told", () -> events.names().size() == 2);
            assertThat(events.names()).containsExactly("acquired", "lost DELETED");
        }
    }
}
