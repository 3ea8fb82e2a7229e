package io.redislock.reactor;

import java.time.Duration;

import io.redislock.LockOptions;
import io.redislock.protocol.LockKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** A server whose clock cannot be trusted, and a store that cannot mint at all. */
class FencingClockTest {

    private static final LockOptions FENCED = LockOptions.defaults().fenced();
    private static final Duration STEP = Duration.ofMinutes(10);

    private final VirtualLocks virtual = new VirtualLocks();

    @AfterEach
    void realTime() {
        virtual.close();
    }

    @Test
    void clockThatStepsBackDoesNotMatterWhileTheLastTokenIsKept() {
        long first = token();
        virtual.store.stepServerClock(STEP.negated());

        assertThat(token()).isEqualTo(first + 1);
        assertThat(token()).isEqualTo(first + 2);
    }

    @Test
    void lossOfTheLastTokenDoesNotMatterWhileTheClockGoesOn() {
        long first = token();
        virtual.store.delete(LockKey.of("", "job").companion());
        virtual.pass(Duration.ofMillis(1));

        assertThat(token()).isGreaterThan(first);
    }

    /** The limit, as documented: this takes both. A destination then refuses the new holder, not the old one. */
    @Test
    void tokensGoBackWhenTheLastOneIsLostAndTheClockIsBehind() {
        long first = token();
        virtual.store.delete(LockKey.of("", "job").companion());
        virtual.store.stepServerClock(STEP.negated());

        assertThat(token()).isLessThan(first);
    }

    @Test
    void tokensGoOnOnceMoreTimeHasPassedThanTheClockIsBehind() {
        long first = token();
        virtual.store.delete(LockKey.of("", "job").companion());
        virtual.store.stepServerClock(STEP.negated());
        virtual.pass(STEP.plusMillis(1));

        assertThat(token()).isGreaterThan(first);
    }

    /** While it is held, each renewal brings it back. */
    @Test
    void lossOfTheLastTokenOfARenewedLockDoesNotMatterWhateverTheClock() {
        RedisLock lock = virtual.locks.acquire("job", FENCED.autoRenew(Duration.ofHours(1))).block();
        virtual.store.delete(LockKey.of("", "job").companion());
        virtual.store.stepServerClock(STEP.negated());
        virtual.pass(Duration.ofSeconds(20));
        assertThat(virtual.store.prolongations()).isPositive();
        lock.release().block();

        assertThat(token()).isGreaterThan(lock.fencingToken().getAsLong());
    }

    @Test
    void storeThatCannotMintRefusesFencedAtOnceAndSaysWhy() {
        virtual.store.refuseFencingTokens("a quorum of counters is not monotonic");

        assertThatIllegalArgumentException().isThrownBy(() -> virtual.locks.acquire("job", FENCED))
                .withMessage("fenced() cannot be had here: a quorum of counters is not monotonic");
        assertThatIllegalArgumentException().isThrownBy(() ->
                virtual.locks.withLock("job", FENCED, lock -> Mono.empty()));
        assertThatIllegalArgumentException().isThrownBy(() ->
                virtual.locks.withLockMany("job", FENCED, lock -> Mono.empty()));
        assertThatIllegalArgumentException().isThrownBy(() -> virtual.locksWith(FENCED));
        assertThat(virtual.store.commands()).isZero();
        assertThat(virtual.locks.acquire("job").block().fencingToken()).isEmpty();
    }

    private long token() {
        return virtual.locks.withLock("job", FENCED, lock -> Mono.just(lock.fencingToken().getAsLong())).block();
    }
}
