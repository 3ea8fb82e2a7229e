package io.redislock.reactor;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.OwnerToken;
import io.redislock.protocol.OwnerTokens;
import io.redislock.reactor.store.LettuceLockStore;
import io.redislock.reactor.store.LockStore;
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
        LockOptions renewed = FENCED.expiry(Duration.ofMillis(4_500)).autoRenew(Duration.ofMinutes(1));
        RedisLock lock = locks.acquire(key, renewed).block();
        OptionalLong token = lock.fencingToken();
        FIXTURE.resetStats();

        Await.until("it was renewed", () -> FIXTURE.calls("pexpire") >= 2);
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
    void expiryThatIsLongerThanMaxHoldCounts() {
        Duration week = Duration.ofDays(7);

        locks.withLock(key, FENCED.expiry(week).autoRenew(Duration.ofMinutes(1)), lock -> Mono.empty()).block();

        assertThat(keptFor()).isBetween(week.multipliedBy(2).minusMinutes(1), week.multipliedBy(2));
    }

    @Test
    void lastTokenIsNeverKeptLessLongThanWasSaidBefore() {
        Duration month = Duration.ofDays(30);
        RedisLock lock = locks.acquire(key, FENCED).block();
        lock.extend(month).block();

        lock.extend(Duration.ofMinutes(1)).block();
        assertThat(keptFor()).isGreaterThan(month.multipliedBy(2).minusMinutes(1));

        lock.release().block();
        token();
        assertThat(keptFor()).isGreaterThan(month.multipliedBy(2).minusMinutes(1));
    }

    @Test
    void copyOfAnAcquisitionKeepsTheLastTokenAnew() {
        LockStore store = new LettuceLockStore(FIXTURE.client().connect(StringCodec.UTF8));
        OwnerToken owner = new OwnerTokens(new SecureRandom()).next();
        Duration minute = Duration.ofMinutes(1);
        LockKey lockKey = LockKey.of("", key);
        store.acquireFenced(lockKey, owner, minute, Duration.ofSeconds(2), Await.PATIENCE).block();

        store.acquireFenced(lockKey, owner, minute, minute, Await.PATIENCE).block();

        assertThat(keptFor()).isGreaterThan(Duration.ofSeconds(30));
        store.close().block();
    }

    @Test
    void locksConnectedWithoutBlockingKeepItAsLongAsTheBuilderSays() {
        Duration week = Duration.ofDays(7);
        ReactiveRedisLocks connected = ReactiveRedisLocks.builder(FIXTURE.client())
                .uri(RedisURI.create(FIXTURE.server().uri())).fencingRetention(week).connect().block(Await.PATIENCE);

        connected.withLock(key, FENCED, lock -> Mono.empty()).block();

        assertThat(keptFor()).isBetween(week.minusMinutes(1), week);
        connected.close().block();
    }

    @Test
    void lastTokenIsKeptFromTheLastRenewalOn() {
        RedisLock lock = locks.acquire(key, FENCED).block();
        FIXTURE.redis().pexpire(companion, 1_000);

        lock.extend(Duration.ofMinutes(2)).block();
        assertThat(keptFor()).isBetween(DAY.minusMinutes(1), DAY);

        lock.extend(Duration.ofDays(2)).block();
        assertThat(keptFor()).as("twice the extension")
                .isBetween(Duration.ofDays(4).minusMinutes(1), Duration.ofDays(4));
        lock.release().block();
    }

    @ParameterizedTest
    @ValueSource(strings = {"minted", "9007199254740991", "9007199254740992", "99999999999999999999", "-1", "nan",
        "1e3"})
    void whatCannotBeCountedOnIsAnErrorAndNothingIsTaken(String last) {
        FIXTURE.redis().set(companion, last);

        LockUnavailableException unavailable = catchThrowableOfType(LockUnavailableException.class, this::token);

        assertThat(unavailable).hasMessageContaining(key).hasMessageContaining("redislock:minted");
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
    @ValueSource(strings = {"a list", "text", "nan", "inf", "1e300", "0x7fffffffffffff", "-1"})
    void extensionMendsACompanionThatWasBroken(String text) {
        RedisLock lock = locks.acquire(key, FENCED).block();
        FIXTURE.redis().del(companion);
        if (text.equals("a list")) {
            FIXTURE.redis().rpush(companion, text);
        } else {
            FIXTURE.redis().set(companion, text);
        }

        assertThat(lock.extend(Duration.ofMinutes(2)).block()).isTrue();

        assertThat(FIXTURE.redis().get(companion)).isEqualTo(Long.toString(lock.fencingToken().getAsLong()));
        lock.release().block();
    }

    @Test
    void extensionLeavesAGreaterLastTokenAsItIs() {
        RedisLock lock = locks.acquire(key, FENCED).block();
        String greater = Long.toString(lock.fencingToken().getAsLong() + 5);
        FIXTURE.redis().set(companion, greater);

        assertThat(lock.extend(Duration.ofMinutes(2)).block()).isTrue();

        assertThat(FIXTURE.redis().get(companion)).isEqualTo(greater);
        lock.release().block();
    }

    /** Prolonging an expiry needs no memory, and bringing the token back does. */
    @Test
    void leaseIsExtendedAlsoWhenThereIsNoMemoryToBringBackTheLastToken() {
        RedisLock lock = locks.acquire(key, FENCED).block();
        FIXTURE.redis().del(companion);
        FIXTURE.redis().configSet("maxmemory-policy", "noeviction");
        FIXTURE.redis().configSet("maxmemory", "1");
        try {
            assertThat(lock.extend(Duration.ofSeconds(10)).block()).isTrue();
            assertThat(FIXTURE.exists(companion)).isFalse();
        } finally {
            FIXTURE.redis().configSet("maxmemory", "0");
        }
        lock.release().block();
    }

    /** They wait in one queue, and the attempt of one serves the other too. */
    @Test
    void brokenCompanionIsNothingToThoseWhoWantALockWithoutAToken() {
        FIXTURE.redis().set(companion, "text");
        FIXTURE.server().pause();
        CompletableFuture<RedisLock> fenced = locks.acquire(key, FENCED).toFuture();
        CompletableFuture<RedisLock> plain = locks.acquire(key).toFuture();
        CompletableFuture<RedisLock> alsoFenced = locks.acquire(key, FENCED).toFuture();

        FIXTURE.server().resume();

        assertThat(plain).succeedsWithin(Await.PATIENCE);
        assertThat(fenced).failsWithin(Await.PATIENCE).withThrowableThat()
                .withCauseInstanceOf(LockUnavailableException.class);
        plain.join().release().block();
        assertThat(alsoFenced).failsWithin(Await.PATIENCE).withThrowableThat()
                .withCauseInstanceOf(LockUnavailableException.class);
    }

    @Test
    void holdersWithoutATokenHaveNoPlaceInTheOrderAndDoNotDisturbIt() {
        long first = token();
        locks.withLock(key, lock -> Mono.empty()).block();
        locks.take(key, "host-1", Duration.ofMinutes(1)).block();
        locks.release(key, "host-1").block();

        assertThat(FIXTURE.redis().get(companion)).isEqualTo(Long.toString(first));
        assertThat(token()).isGreaterThan(first);
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

    /** A server may remember every key of a script of which one was read. */
    @Test
    void serverDoesNotRememberWhoHasMinted() {
        long before = trackedKeys();

        for (int i = 0; i < 50; i++) {
            locks.withLock(FIXTURE.freshKey(), FENCED, lock -> lock.extend(Duration.ofMinutes(2))).block();
        }

        assertThat(trackedKeys()).isLessThanOrEqualTo(before);
    }

    private static long trackedKeys() {
        return Arrays.stream(FIXTURE.redis().info("stats").split("\r?\n"))
                .filter(line -> line.startsWith("tracking_total_keys:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1))).sum();
    }

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
