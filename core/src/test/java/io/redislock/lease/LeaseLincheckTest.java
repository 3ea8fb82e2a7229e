package io.redislock.lease;

import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.Options;
import org.jetbrains.kotlinx.lincheck.strategy.managed.modelchecking.ModelCheckingOptions;
import org.jetbrains.kotlinx.lincheck.strategy.stress.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Whatever threads do to a lease at once, each sees what it would have seen had they done it one after the other. The
 * scenarios are the same in every run.
 */
class LeaseLincheckTest {

    /** Switches threads at every shared access, in many ways. Nobody may have to wait for another. */
    @Test
    void everyInterleavingIsAnOrderOfTheModel() {
        check(new ModelCheckingOptions().checkObstructionFreedom(true)
                .iterations(Rounds.of(20)).invocationsPerIteration(100)
                .threads(3).actorsPerThread(2).actorsBefore(2).actorsAfter(2));
    }

    /** Fewer interleavings, but on the memory of the real machine. */
    @Test
    void whatRealThreadsSeeIsAnOrderOfTheModel() {
        check(new StressOptions()
                .iterations(Rounds.of(30)).invocationsPerIteration(2_000)
                .threads(3).actorsPerThread(3).actorsBefore(2).actorsAfter(2));
    }

    private static void check(Options<?, ?> options) {
        LinChecker.check(LeaseUnderCheck.class, options.sequentialSpecification(LeaseModel.class));
    }
}
