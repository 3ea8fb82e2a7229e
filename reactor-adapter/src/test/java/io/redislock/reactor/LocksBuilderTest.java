package io.redislock.reactor;

import java.time.Duration;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.ProtocolVersion;
import io.redislock.LockNotAcquiredException;
import io.redislock.LockOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the builder configures, and the options of the client that are honoured. */
class LocksBuilderTest {

    private static final Duration EXPIRY = Duration.ofSeconds(60);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onTheSharedServer();

    private final RedisCommands<String, String> redis = FIXTURE.redis();
    private final String key = FIXTURE.freshKey();

    @Test
    void prefixStandsBeforeTheKeyOnTheServerOnly() {
        ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder.keyPrefix("prefix:"));

        RedisLock lock = locks.acquire(key).block();
        assertThat(lock.key()).isEqualTo(key);
        assertThat(redis.get("prefix:" + key)).isEqualTo(lock.value());
        assertThat(FIXTURE.exists(key)).isFalse();
        assertThat(lock.extend(EXPIRY).block()).isTrue();
        assertThat(lock.release().block()).isTrue();
        assertThat(FIXTURE.exists("prefix:" + key)).isFalse();
    }

    @Test
    void prefixStandsBeforeTheKeyOfTheLowLevelOperationsToo() {
        ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder.keyPrefix("prefix:"));

        assertThat(locks.take(key, "ours", EXPIRY).block()).isTrue();
        assertThat(redis.get("prefix:" + key)).isEqualTo("ours");
        assertThat(locks.query(key).block()).isEqualTo("ours");
        assertThat(locks.extend(key, "ours", EXPIRY).block()).isTrue();
        assertThat(locks.release(key, "ours").block()).isTrue();
        assertThat(FIXTURE.exists("prefix:" + key)).isFalse();
    }

    @Test
    void errorsNameTheKeyWithoutThePrefix() {
        ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder.keyPrefix("prefix:")
                .defaults(LockOptions.defaults().retry(0, EXPIRY)));
        FIXTURE.put("prefix:" + key, "another", EXPIRY);

        assertThatThrownBy(() -> locks.withLock(key, lock -> Mono.just("worked")).block())
                .isInstanceOfSatisfying(LockNotAcquiredException.class,
                        busy -> assertThat(busy.key()).isEqualTo(key));
    }

    @Test
    void differentPrefixesDoNotExcludeEachOtherAndEqualOnesDo() {
        ReactiveRedisLocks one = FIXTURE.locks(builder -> builder.keyPrefix("one:"));
        ReactiveRedisLocks other = FIXTURE.locks(builder -> builder.keyPrefix("other:"));
        ReactiveRedisLocks none = FIXTURE.locks(builder -> builder.keyPrefix(""));
        ReactiveRedisLocks oneAgain = FIXTURE.locks(builder -> builder.keyPrefix("one:"));

        assertThat(one.take(key, "ours", EXPIRY).block()).isTrue();
        assertThat(other.take(key, "ours", EXPIRY).block()).isTrue();
        assertThat(none.take(key, "ours", EXPIRY).block()).isTrue();
        assertThat(oneAgain.take(key, "ours", EXPIRY).block()).isFalse();
    }

    @Test
    void defaultsAreTheOptionsOfCallsThatBringNone() {
        ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder.defaults(
                LockOptions.defaults().expiry(EXPIRY).retry(4, Duration.ofMillis(1))));

        locks.acquire(key).block();

        assertThat(redis.pttl(key)).isBetween(EXPIRY.minus(Await.PATIENCE).toMillis(), EXPIRY.toMillis());
        assertThat(attempts(locks.withLock(key, lock -> Mono.just("worked")))).isEqualTo(5);
        assertThat(attempts(locks.withLockMany(key, lock -> Mono.just("worked")).next())).isEqualTo(5);
    }

    @Test
    void optionsOfACallReplaceTheDefaults() {
        ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder.defaults(
                LockOptions.defaults().expiry(EXPIRY.multipliedBy(9)).retry(4, Duration.ofMillis(1))));

        locks.acquire(key, LockOptions.defaults().expiry(EXPIRY)).block();

        assertThat(redis.pttl(key)).isBetween(1L, EXPIRY.toMillis());
        assertThat(attempts(locks.withLock(key, LockOptions.defaults().retry(1, Duration.ofMillis(1)),
                lock -> Mono.just("worked")))).isEqualTo(2);
    }

    @Test
    void threeOptionsOfACallReplaceThoseThreeOfTheDefaults() {
        ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder.defaults(LockOptions.defaults()
                .expiry(EXPIRY.multipliedBy(9)).retry(1_000_000, EXPIRY).waitAtMost(Duration.ofMillis(100))));

        RedisLock lock = locks.acquire(key, EXPIRY, 0, Duration.ofMillis(1)).block();

        assertThat(redis.pttl(key)).isBetween(1L, EXPIRY.toMillis());
        assertThat(locks.acquire(key, EXPIRY, 0, EXPIRY).blockOptional(Await.PATIENCE)).as("no retry").isEmpty();
        assertThat(locks.acquire(key, EXPIRY, 1_000_000, EXPIRY).blockOptional(Await.PATIENCE))
                .as("the bound of the wait is that of the defaults").isEmpty();
        assertThat(redis.get(key)).isEqualTo(lock.value());
    }

    @Test
    void uriIsWhereTheLocksAre() {
        RedisURI otherDatabase = RedisURI.create(FIXTURE.server().uri());
        otherDatabase.setDatabase(1);
        ReactiveRedisLocks there = FIXTURE.locks(builder -> builder.uri(otherDatabase));

        assertThat(there.take(key, "there", EXPIRY).block()).isTrue();
        assertThat(FIXTURE.exists(key)).isFalse();
        assertThat(FIXTURE.locks().take(key, "here", EXPIRY).block()).isTrue();
        assertThat(there.release(key, "there").block()).isTrue();
        assertThat(redis.get(key)).isEqualTo("here");
    }

    @ParameterizedTest
    @EnumSource
    void locksWorkWithEitherProtocolOfTheClientAndExcludeEachOther(ProtocolVersion version) {
        RedisClient client = FIXTURE.client(FIXTURE.server().uri(),
                ClientOptions.builder().protocolVersion(version).build());
        ReactiveRedisLocks locks = FIXTURE.locks(client, builder -> builder
                .defaults(LockOptions.defaults().retry(1, Duration.ofMillis(1))));

        RedisLock lock = locks.acquire(key).block();
        assertThat(lock.extend(EXPIRY).block()).isTrue();
        assertThat(FIXTURE.locks().take(key, "another", EXPIRY).block()).isFalse();
        assertThat(lock.release().block()).isTrue();
        assertThat(FIXTURE.locks().take(key, "another", EXPIRY).block()).isTrue();
        assertThat(attempts(locks.withLock(key, held -> Mono.just("worked")))).isEqualTo(2);
        assertThat(locks.query(key).block()).isEqualTo("another");
    }

    @Test
    void optionsOfTheClientAreNotChanged() {
        ClientOptions options = ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build();
        RedisClient client = FIXTURE.client(FIXTURE.server().uri(), options);

        FIXTURE.locks(client, builder -> builder).take(key, "ours", EXPIRY).block();

        assertThat(client.getOptions()).isSameAs(options);
    }

    @Test
    void clientWithoutAutoReconnectIsRefusedWithTheReason() {
        RedisClient client = FIXTURE.client(FIXTURE.server().uri(),
                ClientOptions.builder().autoReconnect(false).build());
        RedisURI uri = RedisURI.create(FIXTURE.server().uri());

        assertThatThrownBy(() -> ReactiveRedisLocks.builder(client).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("client").hasMessageContaining("autoReconnect");
        assertThatThrownBy(() -> ReactiveRedisLocks.create(client)).isInstanceOf(IllegalArgumentException.class);
        Mono<ReactiveRedisLocks> connecting = ReactiveRedisLocks.connect(client, uri);
        assertThatThrownBy(connecting::block)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("client").hasMessageContaining("autoReconnect");
    }

    private static long attempts(Mono<?> busy) {
        return busy.thenReturn(0L)
                .onErrorResume(LockNotAcquiredException.class, failure -> Mono.just(failure.attempts()))
                .block(Await.PATIENCE);
    }
}
