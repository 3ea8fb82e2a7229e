package io.redislock.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.redislock.LockLoss;
import io.redislock.LockState;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** What a lease says of its time and its loss. Where each event leads stands in {@link LeaseTransitionsTest}. */
class LeaseTest {

    private static final Duration EXPIRY = Duration.ofSeconds(30);
    private static final Duration ALLOWED = Duration.ofNanos(29_698_000_000L);

    private final ManualClock clock = ManualClock.anywhere();
    private final List<LockLoss> told = new ArrayList<>();
    private final Lease lease = new Lease(clock, validity(EXPIRY), told::add);

    @Test
    void newLeaseIsHeldForItsValidity() {
        assertThat(lease.state()).isEqualTo(LockState.HELD);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(ALLOWED);
        assertThat(lease.loss()).isEmpty();
        assertThat(lease.isBeforeDeadline()).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void leaseEndsExactlyAtItsDeadline() {
        clock.pass(ALLOWED.minusNanos(1));
        assertThat(lease.state()).isEqualTo(LockState.HELD);
        assertThat(lease.remaining()).isEqualTo(Duration.ofNanos(1));

        clock.passNanos(1);
        assertThat(lease.state()).isEqualTo(LockState.LOST);
        assertThat(lease.loss()).contains(LockLoss.EXPIRED);
        assertThat(told).containsExactly(LockLoss.EXPIRED);
    }

    /** The reply came so late that nothing is left. */
    @Test
    void leaseThatBeginsPastItsDeadlineIsLostAtTheFirstLook() {
        Validity late = validity(EXPIRY);
        clock.pass(EXPIRY);

        assertThat(new Lease(clock, late, told::add).isHeld()).isFalse();
        assertThat(told).containsExactly(LockLoss.EXPIRED);
    }

    static Stream<Named<Consumer<Lease>>> reads() {
        return Stream.of(
                Named.of("state", Lease::state),
                Named.of("loss", Lease::loss),
                Named.of("isHeld", Lease::isHeld),
                Named.of("remaining", Lease::remaining));
    }

    @ParameterizedTest
    @MethodSource("reads")
    void anyReadPastTheDeadlineTellsTheLossOnce(Consumer<Lease> read) {
        clock.pass(EXPIRY);
        assertThat(told).isEmpty();

        read.accept(lease);
        assertThat(told).containsExactly(LockLoss.EXPIRED);

        read.accept(lease);
        assertThat(told).hasSize(1);
    }

    /** Suspended, woken, read, and then somebody sets the clock right. */
    @ParameterizedTest
    @MethodSource("reads")
    void whatWasReadAsLostStaysLostWhenTheWallClockIsSetBack(Consumer<Lease> read) {
        clock.moveWall(EXPIRY);
        read.accept(lease);
        clock.moveWall(EXPIRY.negated());

        assertThat(lease.state()).isEqualTo(LockState.LOST);
        assertThat(lease.loss()).contains(LockLoss.EXPIRED);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(lease.suspect()).isFalse();
        assertThat(lease.extended(validity(EXPIRY))).isFalse();
        assertThat(told).containsExactly(LockLoss.EXPIRED);
    }

    @Test
    void remainingShrinksWithTheClockAlsoWhileSuspect() {
        clock.pass(Duration.ofSeconds(10));
        lease.suspect();
        clock.pass(Duration.ofSeconds(5));

        assertThat(lease.remaining()).isEqualTo(ALLOWED.minusSeconds(15));
    }

    @Test
    void longerExtensionMovesTheDeadline() {
        clock.pass(Duration.ofSeconds(10));
        assertThat(lease.extended(validity(EXPIRY))).isTrue();
        assertThat(lease.remaining()).isEqualTo(ALLOWED);

        clock.pass(Duration.ofSeconds(25));
        assertThat(lease.isHeld()).as("past its first deadline").isTrue();
    }

    /** The validity is counted from before the command was sent, the success is told when the reply is there. */
    @Test
    void extensionCountsFromWhenItWasSent() {
        clock.pass(Duration.ofSeconds(10));
        Validity sent = validity(EXPIRY);
        clock.pass(Duration.ofSeconds(2));

        lease.extended(sent);

        assertThat(lease.remaining()).isEqualTo(ALLOWED.minusSeconds(2));
    }

    @Test
    void shorterExtensionSucceedsAndShortensNothing() {
        assertThat(lease.extended(validity(Duration.ofSeconds(1)))).isTrue();

        assertThat(lease.remaining()).isEqualTo(ALLOWED);
    }

    @Test
    void extensionEatenByDriftSucceedsAndShortensNothing() {
        assertThat(lease.extended(validity(Duration.ofMillis(1)))).isTrue();

        assertThat(lease.remaining()).isEqualTo(ALLOWED);
    }

    @Test
    void suspicionEndsWithAShorterExtensionToo() {
        lease.suspect();

        lease.extended(validity(Duration.ofSeconds(1)));

        assertThat(lease.state()).isEqualTo(LockState.HELD);
        assertThat(lease.remaining()).isEqualTo(ALLOWED);
    }

    @Test
    void eachEpisodeOfSuspicionBeginsOnce() {
        assertThat(lease.suspect()).isTrue();
        assertThat(lease.suspect()).isFalse();

        lease.extended(validity(EXPIRY));

        assertThat(lease.suspect()).isTrue();
        assertThat(lease.suspect()).isFalse();
    }

    /** Sent in time and answered too late: in between somebody may have acted on the loss. */
    @Test
    void successPastTheOldDeadlineIsNone() {
        clock.pass(ALLOWED.minusNanos(1));
        Validity sentInTime = validity(EXPIRY);
        clock.passNanos(1);

        assertThat(lease.extended(sentInTime)).isFalse();

        assertThat(lease.loss()).contains(LockLoss.EXPIRED);
        assertThat(lease.remaining()).isZero();
        assertThat(told).containsExactly(LockLoss.EXPIRED);
    }

    @ParameterizedTest
    @EnumSource(LockLoss.class)
    void everyLossIsTheReasonThatIsToldAndKept(LockLoss reason) {
        assertThat(lease.lose(reason)).isTrue();
        assertThat(lease.loss()).contains(reason);

        assertThat(lease.release()).isTrue();
        assertThat(lease.state()).isEqualTo(LockState.RELEASED);
        assertThat(lease.loss()).contains(reason);
        assertThat(told).containsExactly(reason);
    }

    @ParameterizedTest
    @EnumSource(LockLoss.class)
    void lossToldPastTheDeadlineIsAnExpiry(LockLoss reason) {
        clock.pass(ALLOWED);

        assertThat(lease.lose(reason)).isFalse();

        assertThat(lease.loss()).contains(LockLoss.EXPIRED);
        assertThat(told).containsExactly(LockLoss.EXPIRED);
    }

    @Test
    void firstOfTwoLossesIsTheReason() {
        lease.lose(LockLoss.TAKEN_OVER);

        assertThat(lease.lose(LockLoss.CLOSED)).isFalse();

        assertThat(lease.loss()).contains(LockLoss.TAKEN_OVER);
        assertThat(told).containsExactly(LockLoss.TAKEN_OVER);
    }

    @Test
    void releasedLeaseTellsNoLossWhenItsTimeIsUp() {
        lease.release();
        clock.pass(EXPIRY);

        assertThat(lease.state()).isEqualTo(LockState.RELEASED);
        assertThat(lease.loss()).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void whoeverIsToldAlreadySeesTheLoss() {
        List<String> seen = new ArrayList<>();
        List<Lease> self = new ArrayList<>();
        Lease watched = new Lease(clock, validity(EXPIRY), loss -> seen.add(loss + " " + self.get(0).state()
                + " " + self.get(0).loss().orElseThrow() + " " + self.get(0).isHeld()));
        self.add(watched);

        watched.lose(LockLoss.DELETED);

        assertThat(seen).containsExactly("DELETED LOST DELETED false");
    }

    @Test
    void whoeverIsToldMayReleaseAtOnce() {
        List<Lease> self = new ArrayList<>();
        Lease watched = new Lease(clock, validity(EXPIRY), loss -> {
            told.add(loss);
            self.get(0).release();
        });
        self.add(watched);
        clock.pass(EXPIRY);

        assertThat(watched.isHeld()).isFalse();

        assertThat(watched.state()).isEqualTo(LockState.RELEASED);
        assertThat(watched.loss()).contains(LockLoss.EXPIRED);
        assertThat(told).containsExactly(LockLoss.EXPIRED);
    }

    /** Whether the error comes through is not promised, but the lease must not come back to life by it. */
    @Test
    void lossStandsWhenWhoeverIsToldFails() {
        Lease watched = new Lease(clock, validity(EXPIRY), loss -> {
            told.add(loss);
            throw new IllegalStateException("listener");
        });

        catchThrowable(() -> watched.lose(LockLoss.TAKEN_OVER));

        assertThat(watched.state()).isEqualTo(LockState.LOST);
        assertThat(watched.loss()).contains(LockLoss.TAKEN_OVER);
        assertThat(told).containsExactly(LockLoss.TAKEN_OVER);
    }

    @Test
    void timeIsNotUpOnlyBecauseTheLeaseEnded() {
        lease.lose(LockLoss.DELETED);
        assertThat(lease.isBeforeDeadline()).isTrue();

        lease.release();
        assertThat(lease.isBeforeDeadline()).isTrue();

        clock.pass(ALLOWED);
        assertThat(lease.isBeforeDeadline()).isFalse();
    }

    @Test
    void textNamesTheStateAndTheReason() {
        assertThat(lease.toString()).contains("HELD");

        lease.lose(LockLoss.DELETED);

        assertThat(lease.toString()).contains("LOST", "DELETED");
    }

    private Validity validity(Duration expiry) {
        return Validity.ofCommandSentNow(clock, expiry);
    }
}
