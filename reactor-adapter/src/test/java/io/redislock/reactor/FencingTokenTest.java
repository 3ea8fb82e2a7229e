package io.redislock.reactor;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import io.redislock.protocol.LockKey;
import io.redislock.testsupport.FaultProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** The token of a fenced lock: greater than every earlier one, and the same for as long as it is held. */
class FencingTokenTest {

    private static final LockOptions FENCED = LockOptions.defaults().expiry(Duration.ofSeconds(60)).fenced();
    private static final Duration DAY = Duration.ofHours(24);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn("save \"\"", "appendonly no");

    private final ReactiveRedisLocks locks = FIXTURE.locks();
    private final String key = FIXTURE.freshKey();
    private final String companion = LockKey.of("", key).companion();

    @Test
    void lockWithoutTheOptionHasNone() {
        RedisLock lock = locks.acquire(key).block();

        assertThat(lock.fencingToken()).isEmpty();
        assertThat(FIXTURE.exists(companion)).isFalse();
    }

    @Test
    void tokenIsMintedInTheRoundTripOfTheAcquisition() {
        token();
        FIXTURE.resetStats();

        RedisLock lock = locks.acquire(key, FENCED).block();

        assertThat(lock.fencingToken()).isPresent();
        assertThat(FIXTURE.scriptCalls()).isEqualTo(1);
        assertThat(FIXTURE.redis().get(key)).isEqualTo(lock.value());
        assertThat(lock.toString()).contains("fencingToken=" + lock.fencingToken().getAsLong());
        lock.release().block();
    }

    /** Lua's own conversion of numbers would keep 14 of the 16 digits. */
    @Test
    void companionHoldsTheTokenInAllItsDigits() {
        long before = Instant.now().toEpochMilli() * 1_000;

        long token = token();

        assertThat(token).isBetween(before - 1_000_000, before + Await.PATIENCE.toNanos() / 1_000);
        assertThat(FIXTURE.redis().get(companion)).isEqualTo(Long.toString(token));
    }

    @Test
    void eachHolderHasAGreaterToken() {
        List<Long> tokens = IntStream.range(0, 1_000).mapToObj(i -> token()).toList();

        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void workUnderALockSeesIt() {
        long first = token();

        OptionalLong seen = locks.withLock(key, FENCED, lock -> Mono.just(lock.fencingToken())).block();

        assertThat(seen.getAsLong()).isGreaterThan(first);
    }

    @Test
    void extensionAndRenewalLeaveItAsItIs() {
        LockOptions renewed = FENCED.expiry(Duration.ofMillis(1_500)).autoRenew(Duration.ofMinutes(1));
        RedisLock lock = locks.acquire(key, renewed).block();
        OptionalLong token = lock.fencingToken();
        FIXTURE.resetStats();

        Await.until("it was renewed", () -> FIXTURE.calls("pexpire") >= 4);
        assertThat(lock.extend(Duration.ofSeconds(30)).block()).isTrue();

        assertThat(lock.fencingToken()).isEqualTo(token);
        assertThat(FIXTURE.redis().get(companion)).isEqualTo(Long.toString(token.getAsLong()));
        lock.release().block();
        assertThat(lock.fencingToken()).as("also when it is over").isEqualTo(token);
    }

    // ---- the key that keeps the last one -------------------------------------------------------------------------

    @Test
    void lastTokenIsKeptForADay() {
        token();

        assertThat(keptFor()).isBetween(DAY.minusMinutes(1), DAY);
    }

    @Test
    void lastTokenIsKeptAsLongAsTheBuilderSays() {
        Duration week = Duration.ofDays(7);
        ReactiveRedisLocks longer = FIXTURE.locks(builder -> builder.fencingRetention(week));

        longer.withLock(key, FENCED, lock -> Mono.empty()).block();

        assertThat(keptFor()).isBetween(week.minusMinutes(1), week);
    }

    @Test
    void lastTokenIsKeptTwiceAsLongAsTheLeaseMayLast() {
        Duration week = Duration.ofDays(7);

        locks.withLock(key, FENCED.expiry(week), lock -> Mono.empty()).block();
        assertThat(keptFor()).isBetween(week.multipliedBy(2).minusMinutes(1), week.multipliedBy(2));

        locks.withLock(key, FENCED.autoRenew(week.plusDays(1)), lock -> Mono.empty()).block();
        assertThat(keptFor()).isBetween(Duration.ofDays(16).minusMinutes(1), Duration.ofDays(16));
    }

    @Test
    void lastTokenIsKeptFromTheLastRenewalOn() {
        RedisLock lock = locks.acquire(key, FENCED).block();
        FIXTURE.redis().pexpire(companion, 1_000);

        lock.extend(Duration.ofMinutes(2)).block();
        assertThat(keptFor()).isBetween(DAY.minusMinutes(1), DAY);

        lock.extend(Duration.ofDays(2)).block();
        assertThat(keptFor()).as("twice the extension").isBetween(Duration.ofDays(4).minusMinutes(1), Duration.ofDays(4));
        lock.release().block();
    }

    @ParameterizedTest
    @ValueSource(strings = {"minted", "9007199254740991", "9007199254740992", "99999999999999999999", "-1", "nan", "1e3"})
    void whatCannotBeCountedOnIsAnErrorAndNothingIsTaken(String last) {
        FIXTURE.redis().set(companion, last);

        LockUnavailableException unavailable = catchThrowableOfType(LockUnavailableException.class, this::token);

        assertThat(unavailable).hasMessageContaining(companion);
        assertThat(unavailable.outcomeUnknown()).isFalse();
        assertThat(FIXTURE.exists(key)).isFalse();
    }

    @Test
    void companionThatIsNoStringIsAnErrorAndNothingIsTaken() {
        FIXTURE.redis().rpush(companion, "a list");

        assertThatThrownBy(this::token).isInstanceOf(LockUnavailableException.class).hasMessageContaining("WRONGTYPE");
        assertThat(FIXTURE.exists(key)).isFalse();
    }

    /** A lease does not end because somebody broke the key beside it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void extensionMendsACompanionThatWasBroken(boolean list) {
        RedisLock lock = locks.acquire(key, FENCED).block();
        FIXTURE.redis().del(companion);
        if (list) {
            FIXTURE.redis().rpush(companion, "a list");
        } else {
            FIXTURE.redis().set(companion, "text");
        }

        assertThat(lock.extend(Duration.ofMinutes(2)).block()).isTrue();

        assertThat(FIXTURE.redis().get(companion)).isEqualTo(Long.toString(lock.fencingToken().getAsLong()));
        lock.release().block();
    }

    @Test
    void greatestTokenIsMintedAndThenNoMore() {
        FIXTURE.redis().set(companion, "9007199254740990");

        assertThat(token()).isEqualTo(9_007_199_254_740_991L);
        assertThatThrownBy(this::token).isInstanceOf(LockUnavailableException.class);
        assertThat(FIXTURE.redis().get(companion)).isEqualTo("9007199254740991");
    }

    // ---- what a server does to its data ---------------------------------------------------------------------------

    @Test
    void tokensGoOnWhenTheLastOneIsDeleted() {
        long first = token();
        FIXTURE.redis().del(companion);

        assertThat(token()).isGreaterThan(first);
    }

    @Test
    void tokensGoOnWhenTheLastOneIsEvicted() {
        long first = token();
        FIXTURE.redis().configSet("maxmemory-policy", "volatile-lru");
        FIXTURE.redis().configSet("maxmemory", "1");
        try {
            assertThatThrownBy(() -> FIXTURE.redis().set("needs", "memory")).isInstanceOf(RedisException.class)
                    .hasMessageContaining("OOM");
            Await.until("it is evicted", () -> !FIXTURE.exists(companion));
        } finally {
            FIXTURE.redis().configSet("maxmemory", "0");
        }

        assertThat(token()).isGreaterThan(first);
    }

    @Test
    void tokensGoOnWhenTheServerLosesItsData() {
        long first = token();
        FIXTURE.restartServer();
        assertThat(FIXTURE.exists(companion)).isFalse();

        assertThat(token()).isGreaterThan(first);
    }

    /** The server's time alone would be a million below. */
    @Test
    void tokensGoOnFromALastOneAheadOfTheClock() {
        long ahead = token() + Duration.ofDays(1).toMillis() * 1_000;
        FIXTURE.redis().set(companion, Long.toString(ahead));

        assertThat(token()).isEqualTo(ahead + 1);
        assertThat(token()).isEqualTo(ahead + 2);
    }

    // ---- lost replies ---------------------------------------------------------------------------------------------

    @Test
    void acquisitionSentTwiceHasOneTokenAndTheNextHolderAGreaterOne() {
        try (FaultProxy proxy = FaultProxy.to(FIXTURE.server())) {
            RedisClient client = FIXTURE.client(proxy.uri(), FIXTURE.client().getOptions());
            ReactiveRedisLocks behind = FIXTURE.locks(client, builder -> builder);
            token();
            FIXTURE.resetStats();
            proxy.cutOnNextReply(1);

            RedisLock lock = behind.acquire(key, FENCED).block(Await.PATIENCE);

            assertThat(FIXTURE.calls("evalsha")).as("sent twice").isEqualTo(2);
            long token = lock.fencingToken().getAsLong();
            assertThat(FIXTURE.redis().get(companion)).isEqualTo(Long.toString(token));
            assertThat(lock.release().block(Await.PATIENCE)).isTrue();
            assertThat(token()).isGreaterThan(token);
        }
    }

    /** Under NOLOOP a write forgets who has read a key, so nobody is told of the companion. */
    @Test
    void holderOfAFencedLockIsToldOfItsDeletionAlsoAfterARenewal() {
        RedisLock lock = locks.acquire(key, FENCED).block();
        lock.extend(Duration.ofMinutes(2)).block();

        FIXTURE.redis().del(key);

        assertThat(lock.lost().block(Await.PATIENCE)).isNotNull();
    }

    private long token() {
        return locks.withLock(key, FENCED, lock -> Mono.just(lock.fencingToken().getAsLong())).block(Await.PATIENCE);
    }

    private Duration keptFor() {
        return Duration.ofMillis(FIXTURE.redis().pttl(companion));
    }
}
