package io.redislock.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import io.redislock.LockLoss;
import io.redislock.LockState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads meet at one lease, thousands of times; every outcome is one of those listed, and the ends exclude each other.
 */
class LeaseRaceTest {

    private static final int ROUNDS = Rounds.of(10_000);
    private static final int MOST_THREADS = 4;
    private static final Duration EXPIRY = Duration.ofSeconds(30);

    private final ExecutorService threads = Executors.newFixedThreadPool(MOST_THREADS);
    private final Random random = new Random();

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    /** The holder releases while the renewal learns that the key is gone. */
    @Test
    void releaseAndLossLeaveOneEnd() throws Exception {
        Map<String, Integer> outcomes = race(round -> List.of(
                () -> round.lease.release(),
                () -> round.lease.lose(LockLoss.DELETED)));

        assertThat(outcomes.keySet()).containsExactlyInAnyOrder(
                "[true, false] RELEASED without loss",
                "[true, true] RELEASED after DELETED");
    }

    /** A renewal succeeds while another path tells a loss: the lease is lost either way. */
    @Test
    void extensionNeverUndoesALoss() throws Exception {
        Map<String, Integer> outcomes = race(round -> List.of(
                () -> round.lease.extended(round.longer),
                () -> round.lease.lose(LockLoss.TAKEN_OVER)));

        assertThat(outcomes.keySet()).containsExactlyInAnyOrder(
                "[true, true] LOST as TAKEN_OVER",
                "[false, true] LOST as TAKEN_OVER");
    }

    @Test
    void extensionAtTheDeadlineIsInTimeOrTooLate() throws Exception {
        Map<String, Integer> outcomes = race(round -> List.of(
                () -> round.lease.extended(round.longer),
                () -> {
                    round.clock.pass(EXPIRY);
                    return round.lease.isHeld();
                }));

        assertThat(outcomes.keySet()).containsExactlyInAnyOrder(
                "[true, true] HELD",
                "[false, false] LOST as EXPIRED");
    }

    @Test
    void releaseAtTheDeadlineIsInTimeOrAfterTheLoss() throws Exception {
        Map<String, Integer> outcomes = race(round -> List.of(
                () -> round.lease.release(),
                () -> {
                    round.clock.pass(EXPIRY);
                    return round.lease.isHeld();
                }));

        assertThat(outcomes.keySet()).containsExactlyInAnyOrder(
                "[true, false] RELEASED without loss",
                "[true, false] RELEASED after EXPIRED");
    }

    @Test
    void ofManyLossesOneIsTold() throws Exception {
        Map<String, Integer> outcomes = race(round -> List.of(
                () -> round.lease.lose(LockLoss.DELETED),
                () -> round.lease.lose(LockLoss.TAKEN_OVER),
                () -> round.lease.lose(LockLoss.CLOSED)));

        assertThat(outcomes.keySet()).isSubsetOf(
                "[true, false, false] LOST as DELETED",
                "[false, true, false] LOST as TAKEN_OVER",
                "[false, false, true] LOST as CLOSED");
    }

    @Test
    void ofManyReleasesOneIsTheFirst() throws Exception {
        Map<String, Integer> outcomes = race(round -> List.of(
                () -> round.lease.release(),
                () -> round.lease.release(),
                () -> round.lease.release()));

        assertThat(outcomes.keySet()).isSubsetOf(
                "[true, false, false] RELEASED without loss",
                "[false, true, false] RELEASED without loss",
                "[false, false, true] RELEASED without loss");
    }

    /** Suspicion, extension, loss and release at once. Only who ended it, and why, is left to chance. */
    @Test
    void allAtOnceEndsOnce() throws Exception {
        Map<String, Integer> outcomes = race(round -> List.of(
                () -> round.lease.suspect(),
                () -> round.lease.extended(round.longer),
                () -> round.lease.lose(LockLoss.DELETED),
                () -> round.lease.release()));

        assertThat(outcomes.keySet()).allMatch(outcome -> outcome.matches(
                "\\[\\w+, \\w+, (false, true] RELEASED without loss|true, true] RELEASED after DELETED)"));
    }

    /** A watching thread sees the lease go one way only, while the others do what they can to it. */
    @Test
    void readersNeverSeeItComeBack() throws Exception {
        race(round -> List.of(
                () -> {
                    round.lease.suspect();
                    return round.lease.extended(round.longer);
                },
                () -> {
                    round.clock.pass(EXPIRY);
                    return round.lease.lose(LockLoss.DELETED);
                },
                () -> round.lease.release(),
                () -> {
                    watch(round.lease);
                    return true;
                }));
    }

    private static void watch(Lease lease) {
        LockState before = lease.state();
        LockLoss reason = lease.loss().orElse(null);
        for (int i = 0; i < 50; i++) {
            boolean held = lease.isHeld();
            LockState state = lease.state();
            LockLoss loss = lease.loss().orElse(null);
            if (Math.max(1, state.ordinal()) < Math.max(1, before.ordinal())
                    || !held && state.ordinal() <= LockState.SUSPECT.ordinal()
                    || state == LockState.LOST && loss == null
                    || reason != null && reason != loss) {
                throw new AssertionError("saw " + before + " " + reason + ", then held " + held + ", then " + state
                        + " " + loss);
            }
            before = state;
            reason = loss;
        }
    }

    /** Plays the rounds and counts their outcomes: what each thread was answered, and where the lease ended. */
    private Map<String, Integer> race(Function<Round, List<Callable<Boolean>>> cast) throws Exception {
        Map<String, Integer> outcomes = new TreeMap<>();
        for (int i = 0; i < ROUNDS; i++) {
            Round round = new Round();
            List<Callable<Boolean>> parts = cast.apply(round);
            outcomes.merge(play(parts) + " " + round.end(), 1, Integer::sum);
        }
        return outcomes;
    }

    private List<Boolean> play(List<Callable<Boolean>> parts) throws Exception {
        AtomicInteger missing = new AtomicInteger(parts.size());
        List<Future<Boolean>> answers = new ArrayList<>();
        for (Callable<Boolean> part : parts) {
            // A head start for one or the other, so that each order comes up on any machine.
            int late = random.nextInt(3) == 0 ? random.nextInt(2_000) : 0;
            answers.add(threads.submit(() -> {
                missing.decrementAndGet();
                while (missing.get() > 0) {
                    Thread.yield();
                }
                for (int i = 0; i < late; i++) {
                    Thread.onSpinWait();
                }
                return part.call();
            }));
        }
        List<Boolean> answered = new ArrayList<>();
        for (Future<Boolean> answer : answers) {
            answered.add(answer.get());
        }
        return answered;
    }

    /** One lease, its clock, and how often a loss was told. */
    private static final class Round {

        private final MovingClock clock = new MovingClock();
        private final AtomicInteger told = new AtomicInteger();
        private final Lease lease = new Lease(clock, Validity.ofCommandSentNow(clock, EXPIRY),
                loss -> told.incrementAndGet());
        private final Validity longer = Validity.ofCommandSentNow(clock, EXPIRY.multipliedBy(10));

        String end() {
            LockState state = lease.state();
            LockLoss loss = lease.loss().orElse(null);
            assertThat(told).as("told").hasValue(loss == null ? 0 : 1);
            assertThat(lease.isHeld()).isEqualTo(!lease.remaining().isZero());
            return state + switch (state) {
                case HELD, SUSPECT -> "";
                case LOST -> " as " + loss;
                case RELEASED -> loss == null ? " without loss" : " after " + loss;
            };
        }
    }

    /** Seen by all threads at once when it moves. */
    private static final class MovingClock implements LeaseClock {

        private final AtomicLong nanos = new AtomicLong();

        void pass(Duration time) {
            nanos.addAndGet(time.toNanos());
        }

        @Override
        public long nanoTime() {
            return nanos.get();
        }

        @Override
        public long wallMillis() {
            return nanos.get() / 1_000_000;
        }
    }
}
