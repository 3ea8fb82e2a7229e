package io.redislock.reactor;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.redislock.LockOptions;
import io.redislock.testsupport.FaultProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.Disposable;

import static org.assertj.core.api.Assertions.assertThat;

/** A take that is cancelled: what it took is released, what another has is not. */
class TakeCancelTest {

    private static final Duration EXPIRY = Duration.ofSeconds(60);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onTheSharedServer();

    private final ReactiveRedisLocks locks = FIXTURE.locks();
    private final RedisCommands<String, String> redis = FIXTURE.redis();
    private final String key = FIXTURE.freshKey();

    @Test
    void cancelOfATakeInFlightLeavesNoKeyOnceItsReplyIsThere() {
        try (FaultProxy proxy = FaultProxy.to(FIXTURE.server())) {
            ReactiveRedisLocks distant = distant(proxy);
            proxy.delayReplies(EXPIRY);
            Disposable taking = distant.take(key, "host-1", EXPIRY).subscribe();
            Await.until("the key is taken", () -> FIXTURE.exists(key));

            taking.dispose();
            assertThat(FIXTURE.exists(key)).as("released at the cancel, could overtake").isTrue();
            proxy.delayReplies(Duration.ZERO);

            Await.until("the key is released", () -> !FIXTURE.exists(key));
        }
    }

    @Test
    void cancelOfATakeThatFindsAnEqualValueLeavesTheOtherCallersKey() {
        FIXTURE.put(key, "host-1", EXPIRY);
        try (FaultProxy proxy = FaultProxy.to(FIXTURE.server())) {
            ReactiveRedisLocks distant = distant(proxy);
            proxy.delayReplies(EXPIRY);
            Disposable taking = distant.take(key, "host-1", EXPIRY).subscribe();

            taking.dispose();
            proxy.delayReplies(Duration.ZERO);

            LocksFixture.settle(distant, FIXTURE.freshKey());
            assertThat(redis.get(key)).isEqualTo("host-1");
        }
    }

    @Test
    void takesThatAreCancelledAtOnceLeaveNoKeysButThoseThatWereDeliveredBefore() {
        List<String> many = IntStream.range(0, 500).mapToObj(i -> key + ":" + i).toList();
        Set<String> delivered = ConcurrentHashMap.newKeySet();
        FIXTURE.loadScripts();

        for (String each : many) {
            locks.take(each, "host-1", EXPIRY).subscribeWith(new Taker<>(taken -> delivered.add(each))).cancel();
        }

        LocksFixture.settle(locks, FIXTURE.freshKey());
        Await.until("the keys that nobody has are released",
                () -> redis.exists(many.toArray(String[]::new)) == delivered.size());
        assertThat(many).filteredOn(FIXTURE::exists).containsExactlyInAnyOrderElementsOf(delivered);
        assertThat(delivered).as("or else this shows nothing").hasSizeLessThan(many.size());
    }

    /** Patient ones, so that a test decides when the replies come. */
    private static ReactiveRedisLocks distant(FaultProxy proxy) {
        ReactiveRedisLocks distant = FIXTURE.locks(builder -> builder
                .uri(RedisURI.create(proxy.uri()))
                .defaults(LockOptions.defaults().expiry(EXPIRY).commandTimeout(EXPIRY)));
        FIXTURE.loadScripts();
        return distant;
    }
}
