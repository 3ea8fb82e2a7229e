package io.redislock.reactor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.redislock.LockNotAcquiredException;
import io.redislock.LockOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A service on StackExchange.Redis and this library exclude each other on the same key, in both directions. */
class StackExchangeRedisTest {

    private static final Duration EXPIRY = Duration.ofSeconds(60);
    private static final LockOptions ONCE = LockOptions.defaults().retry(0, Duration.ofMillis(1));

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onTheSharedServer();

    private final ReactiveRedisLocks ours = FIXTURE.locks();
    private final RedisCommands<String, String> redis = FIXTURE.redis();
    private final StatefulRedisConnection<String, String> connection = FIXTURE.client().connect();
    private final StackExchangeClient theirs = new StackExchangeClient(connection.sync());
    private final String key = FIXTURE.freshKey();

    @AfterEach
    void disconnect() {
        connection.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {60_000, 59_999})
    void theirLockExcludesOurs(long expiryMillis) {
        assertThat(theirs.lockTake(key, "theirs", Duration.ofMillis(expiryMillis))).isTrue();

        assertThat(ours.query(key).block()).isEqualTo("theirs");
        assertThat(ours.take(key, "ours", EXPIRY).block()).isFalse();
        assertThat(ours.take(key, "theirs", EXPIRY).block()).isFalse();
        assertThat(ours.extend(key, "ours", EXPIRY).block()).isFalse();
        assertThat(ours.release(key, "ours").block()).isFalse();
        assertThat(ours.acquire(key, ONCE).blockOptional()).isEmpty();
        assertThatThrownBy(() -> ours.withLock(key, ONCE, lock -> Mono.just("worked")).block())
                .isInstanceOfSatisfying(LockNotAcquiredException.class, busy -> assertThat(busy.holderRemaining())
                        .hasValueSatisfying(left -> assertThat(left.toMillis()).isBetween(1L, expiryMillis)));
        assertThat(theirs.lockQuery(key)).isEqualTo("theirs");
        assertThat(theirs.lockRelease(key, "theirs")).isTrue();
    }

    @Test
    void ourTakeExcludesTheirs() {
        assertThat(ours.take(key, "ours", EXPIRY).block()).isTrue();

        theyAreExcluded("ours");
        assertThat(ours.release(key, "ours").block()).isTrue();
        assertThat(theirs.lockTake(key, "theirs", EXPIRY)).isTrue();
    }

    @Test
    void ourAcquiredLockExcludesTheirs() {
        RedisLock lock = ours.acquire(key).block();

        theyAreExcluded(lock.value());
        assertThat(lock.release().block()).isTrue();
        assertThat(theirs.lockTake(key, "theirs", EXPIRY)).isTrue();
    }

    @Test
    void whatWeTookTheyExtendAndReleaseByItsValue() {
        ours.take(key, "shared", EXPIRY).block();

        assertThat(theirs.lockExtend(key, "shared", EXPIRY.multipliedBy(2))).isTrue();
        assertThat(redis.pttl(key)).isGreaterThan(EXPIRY.toMillis());
        assertThat(theirs.lockExtend(key, "shared", Duration.ofMillis(20_001))).isTrue();
        assertThat(redis.pttl(key)).isBetween(1L, 20_001L);
        assertThat(theirs.lockRelease(key, "shared")).isTrue();
        assertThat(ours.query(key).blockOptional()).isEmpty();
        assertThat(ours.release(key, "shared").block()).isFalse();
    }

    @Test
    void whatTheyTookWeExtendAndReleaseByItsValue() {
        theirs.lockTake(key, "shared", EXPIRY);

        assertThat(ours.extend(key, "shared", EXPIRY.multipliedBy(2)).block()).isTrue();
        assertThat(redis.pttl(key)).isGreaterThan(EXPIRY.toMillis());
        assertThat(ours.extend(key, "shared", Duration.ofMillis(20_001)).block()).isTrue();
        assertThat(redis.pttl(key)).isBetween(1L, 20_001L);
        assertThat(ours.release(key, "shared").block()).isTrue();
        assertThat(theirs.lockQuery(key)).isNull();
        assertThat(theirs.lockRelease(key, "shared")).isFalse();
    }

    @Test
    void theyReleaseWhatWeAcquiredByItsValueAndOurReleaseThenSaysFalse() {
        RedisLock lock = ours.acquire(key).block();

        assertThat(theirs.lockRelease(key, lock.value())).isTrue();
        assertThat(lock.release().block()).isFalse();
    }

    @Test
    void theirReleaseUnderWayDoesNotDeleteALockThatWeTookMeanwhile() {
        theirs.lockTake(key, "shared", EXPIRY);

        boolean released = theirs.lockRelease(key, "shared", () -> {
            ours.release(key, "shared").block();
            ours.take(key, "ours", EXPIRY).block();
        });

        assertThat(released).isFalse();
        assertThat(redis.get(key)).isEqualTo("ours");
    }

    @Test
    void ofOursAndTheirsAtTheSameTimeOneWins() {
        List<String> keys = IntStream.range(0, 300).mapToObj(i -> key + ":" + i).toList();

        CompletableFuture<List<Boolean>> theyTake = CompletableFuture.supplyAsync(
                () -> keys.stream().map(each -> theirs.lockTake(each, "theirs", EXPIRY)).toList());
        List<Boolean> weTake = Flux.fromIterable(keys)
                .concatMap(each -> ours.take(each, "ours", EXPIRY))
                .collectList().block(Await.PATIENCE);

        assertThat(IntStream.range(0, keys.size()))
                .allSatisfy(i -> assertThat(weTake.get(i)).isNotEqualTo(theyTake.join().get(i)))
                .allSatisfy(i -> assertThat(redis.get(keys.get(i))).isEqualTo(weTake.get(i) ? "ours" : "theirs"));
    }

    private void theyAreExcluded(String holder) {
        assertThat(theirs.lockQuery(key)).isEqualTo(holder);
        assertThat(theirs.lockTake(key, "theirs", EXPIRY)).isFalse();
        assertThat(theirs.lockTake(key, holder, EXPIRY)).isFalse();
        assertThat(theirs.lockExtend(key, "theirs", EXPIRY)).isFalse();
        assertThat(theirs.lockRelease(key, "theirs")).isFalse();
        assertThat(redis.get(key)).isEqualTo(holder);
    }
}
