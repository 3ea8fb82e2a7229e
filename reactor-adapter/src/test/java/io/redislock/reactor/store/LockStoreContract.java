package io.redislock.reactor.store;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.redislock.protocol.AcquireReply;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.OwnedReply;
import io.redislock.protocol.OwnerToken;
import io.redislock.protocol.OwnerTokens;
import io.redislock.protocol.TakeReply;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/** What every store does. Each store runs it. */
abstract class LockStoreContract {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final AtomicInteger KEYS = new AtomicInteger();

    private final OwnerTokens tokens = new OwnerTokens(new SecureRandom());
    private LockKey key;

    /** The store under test. */
    abstract LockStore store();

    /** What this key of it holds, whatever it is for; {@code null} when there is none. */
    abstract String raw(String anyKey);

    @BeforeEach
    void freshKey() {
        key = LockKey.of("", "contract:" + getClass().getSimpleName() + ":" + KEYS.incrementAndGet());
    }

    @Test
    void absentKeyIsAcquired() {
        OwnerToken token = tokens.next();

        assertThat(acquire(token)).isEqualTo(AcquireReply.ACQUIRED);
        assertThat(value()).isEqualTo(token.value());
    }

    @Test
    void busyAcquisitionTellsTheHoldersRemainingTimeAndChangesNothing() {
        OwnerToken holder = tokens.next();
        acquire(holder);

        AcquireReply reply = acquire(tokens.next());

        assertThat(reply.acquired()).isFalse();
        assertThat(reply.holderRemaining()).isBetween(LONG.minus(PATIENCE), LONG);
        assertThat(value()).isEqualTo(holder.value());
    }

    @Test
    void acquisitionIsIdempotentForItsOwnToken() {
        OwnerToken token = tokens.next();
        acquire(token);

        assertThat(acquire(token)).isEqualTo(AcquireReply.ACQUIRED);
    }

    @Test
    void lateCopyOfAnAcquisitionNeverShortensTheLease() {
        OwnerToken token = tokens.next();
        acquire(token);

        block(store().acquire(key, token, Duration.ofMillis(50), TIMEOUT));

        assertThat(acquire(tokens.next()).holderRemaining()).isGreaterThan(LONG.minus(PATIENCE));
    }

    @Test
    void takeIsStrictAlsoForAnEqualValue() {
        assertThat(take("host-1")).isEqualTo(TakeReply.TAKEN);
        assertThat(take("host-1")).isEqualTo(TakeReply.BUSY_WITH_EQUAL_VALUE);
        assertThat(take("host-2")).isEqualTo(TakeReply.BUSY);
        assertThat(value()).isEqualTo("host-1");
    }

    @Test
    void onlyTheOwnerReleases() {
        assertThat(release("host-1")).isEqualTo(OwnedReply.ABSENT);
        take("host-1");
        assertThat(release("host-2")).isEqualTo(OwnedReply.OTHER);
        assertThat(value()).isEqualTo("host-1");
        assertThat(release("host-1")).isEqualTo(OwnedReply.DONE);
        assertThat(value()).isNull();
    }

    @Test
    void onlyTheOwnerExtends() {
        assertThat(extend("host-1", LONG)).isEqualTo(OwnedReply.ABSENT);
        take("host-1");
        assertThat(extend("host-2", LONG)).isEqualTo(OwnedReply.OTHER);
        assertThat(extend("host-1", LONG)).isEqualTo(OwnedReply.DONE);
    }

    @Test
    void extensionSetsTheExpiryAlsoToLess() {
        take("host-1");

        extend("host-1", Duration.ofSeconds(20));

        assertThat(acquire(tokens.next()).holderRemaining()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
    }

    @Test
    void prolongationNeverShortens() {
        take("host-1");

        assertThat(prolong("host-1", Duration.ofMillis(50))).isEqualTo(OwnedReply.DONE);
        assertThat(acquire(tokens.next()).holderRemaining()).isGreaterThan(LONG.minus(PATIENCE));
        assertThat(prolong("host-1", LONG.multipliedBy(2))).isEqualTo(OwnedReply.DONE);
        assertThat(acquire(tokens.next()).holderRemaining()).isGreaterThan(LONG);
        assertThat(prolong("host-2", LONG)).isEqualTo(OwnedReply.OTHER);
    }

    @Test
    void fencedAcquisitionIsOneWithAGreaterTokenEachTime() {
        long first = acquireFenced(tokens.next()).fencingToken();
        assertThat(first).isGreaterThan(1_600_000_000_000_000L).as("microseconds");
        release(value());
        OwnerToken second = tokens.next();

        assertThat(acquireFenced(second).fencingToken()).isGreaterThan(first);
        assertThat(value()).isEqualTo(second.value());
        assertThat(acquire(tokens.next()).acquired()).isFalse();
    }

    @Test
    void busyFencedAcquisitionTellsTheHoldersRemainingTimeAndMintsNothing() {
        acquireFenced(tokens.next());
        String last = companion();

        AcquireReply reply = acquireFenced(tokens.next());

        assertThat(reply.acquired()).isFalse();
        assertThat(reply.holderRemaining()).isBetween(LONG.minus(PATIENCE), LONG);
        assertThat(companion()).isEqualTo(last);
    }

    @Test
    void copyOfAFencedAcquisitionFindsItsTokenAndNeverShortensTheLease() {
        OwnerToken token = tokens.next();
        AcquireReply first = acquireFenced(token);

        AcquireReply copy = block(store().acquireFenced(key, token, Duration.ofMillis(50), LONG, TIMEOUT)).reply();

        assertThat(copy).isEqualTo(first);
        assertThat(acquire(tokens.next()).holderRemaining()).isGreaterThan(LONG.minus(PATIENCE));
    }

    @Test
    void fencedProlongationNeverShortensAndOnlyTheOwners() {
        OwnerToken token = tokens.next();
        long fencingToken = acquireFenced(token).fencingToken();

        assertThat(prolongFenced(token.value(), fencingToken, Duration.ofMillis(50))).isEqualTo(OwnedReply.DONE);
        assertThat(acquire(tokens.next()).holderRemaining()).isGreaterThan(LONG.minus(PATIENCE));
        assertThat(prolongFenced(token.value(), fencingToken, LONG.multipliedBy(2))).isEqualTo(OwnedReply.DONE);
        assertThat(acquire(tokens.next()).holderRemaining()).isGreaterThan(LONG);
        assertThat(prolongFenced("host-2", fencingToken, LONG)).isEqualTo(OwnedReply.OTHER);
        assertThat(companion()).isEqualTo(Long.toString(fencingToken));
    }

    @Test
    void fencedProlongationBringsBackALastTokenThatWasLost() {
        OwnerToken token = tokens.next();
        long fencingToken = block(store().acquireFenced(key, token, LONG, Duration.ofMillis(1), TIMEOUT)).reply()
                .fencingToken();
        awaitNone(key.companion());

        prolongFenced(token.value(), fencingToken, LONG);

        assertThat(companion()).isEqualTo(Long.toString(fencingToken));
    }

    @Test
    void keyExpires() {
        block(store().take(key, "host-1", Duration.ofMillis(30), TIMEOUT));

        awaitNone(key.onTheWire());
    }

    @Test
    void nothingIsSentBeforeSubscription() {
        store().take(key, "host-1", LONG, TIMEOUT);

        assertThat(value()).isNull();
    }

    @Test
    void eachSubscriptionIsACommandOfItsOwn() {
        Mono<Answer<TakeReply>> taking = store().take(key, "host-1", LONG, TIMEOUT);

        assertThat(block(taking).reply()).isEqualTo(TakeReply.TAKEN);
        assertThat(block(taking).reply()).isEqualTo(TakeReply.BUSY_WITH_EQUAL_VALUE);
    }

    @Test
    void commandsRunInTheOrderInWhichTheyAreSent() {
        Integer wrong = Flux.range(0, 1_000)
                .flatMap(round -> {
                    OwnerToken token = tokens.next();
                    LockKey ours = LockKey.of("", key.name() + ":" + round);
                    return Mono.zip(store().acquire(ours, token, LONG, TIMEOUT),
                            store().release(ours, token.value(), TIMEOUT),
                            (acquired, released) -> acquired.reply().acquired() && released.reply() == OwnedReply.DONE);
                })
                .filter(inOrder -> !inOrder)
                .collectList()
                .block(PATIENCE)
                .size();

        assertThat(wrong).isZero();
    }

    private AcquireReply acquireFenced(OwnerToken token) {
        return block(store().acquireFenced(key, token, LONG, LONG, TIMEOUT)).reply();
    }

    private OwnedReply prolongFenced(String value, long fencingToken, Duration expiry) {
        return block(store().prolongFenced(key, value, fencingToken, expiry, LONG, TIMEOUT)).reply();
    }

    private String companion() {
        return raw(key.companion());
    }

    private void awaitNone(String anyKey) {
        Boolean gone = Mono.delay(Duration.ofMillis(5))
                .then(Mono.fromCallable(() -> raw(anyKey) != null).subscribeOn(Schedulers.boundedElastic()))
                .repeat()
                .filter(there -> !there)
                .blockFirst(PATIENCE);

        assertThat(gone).isFalse();
    }

    private AcquireReply acquire(OwnerToken token) {
        return block(store().acquire(key, token, LONG, TIMEOUT)).reply();
    }

    private TakeReply take(String value) {
        return block(store().take(key, value, LONG, TIMEOUT)).reply();
    }

    private OwnedReply release(String value) {
        return block(store().release(key, value, TIMEOUT)).reply();
    }

    private OwnedReply extend(String value, Duration expiry) {
        return block(store().extend(key, value, expiry, TIMEOUT)).reply();
    }

    private OwnedReply prolong(String value, Duration expiry) {
        return block(store().prolong(key, value, expiry, TIMEOUT)).reply();
    }

    private String value() {
        return store().query(key, TIMEOUT).block(PATIENCE);
    }

    private static <T> T block(Mono<T> mono) {
        return mono.block(PATIENCE);
    }
}
