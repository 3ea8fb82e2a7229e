package io.redislock.reactor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

import io.redislock.reactor.FairnessWorker.Grant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes whose callers all want one key, all the time: every process gets its share, every caller its turn, and no
 * two hold it at once. Prints the figures. The long form is left out of the usual tests:
 * {@code mvn -B -Pscale -pl reactor-adapter -am test}.
 */
@Tag("long")
class ProcessFairnessTest {

    private static final int PROCESSES = 4;
    private static final int CALLERS = 16;
    /** An equal share is 25 %. */
    private static final double LEAST_SHARE = 0.15;
    /**
     * A process hands the lock on among its callers for some 20 ms, so every caller has its turn within some 100 ms.
     * This leaves room for the process that is not the next, nor the one after it, and for a machine with few cores.
     */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);
    /** Work that takes longer makes turns longer: when so many grants for each caller are over, all have had theirs. */
    private static final int LONGEST_WAIT_IN_ROUNDS = 2;
    private static final Duration SHORT = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofSeconds(30);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final List<FairnessProcess> processes = new ArrayList<>();

    @AfterEach
    void end() {
        processes.forEach(FairnessProcess::close);
    }

    @Test
    void everyProcessGetsItsShareAndEveryCallerItsTurn() {
        contend(SHORT, Duration.ZERO);
    }

    @ParameterizedTest(name = "{0} ms of work")
    @ValueSource(ints = {0, 1, 10, 50})
    @Tag("scale")
    void everyProcessGetsItsShareForLongWhateverTheWorkTakes(int millisOfWork) {
        contend(LONG, Duration.ofMillis(millisOfWork));
    }

    private void contend(Duration time, Duration work) {
        String key = FIXTURE.freshKey();
        long before = System.nanoTime();
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(FairnessProcess.start(FIXTURE.server().uri(), key, CALLERS, work));
        }
        for (FairnessProcess process : processes) {
            assertThat(process.awaitReady()).as("a clock that all processes share")
                    .isBetween(before, System.nanoTime());
        }
        FIXTURE.resetStats();
        long start = System.nanoTime();
        processes.forEach(process -> process.go(time));
        processes.forEach(process -> process.awaitResult(time.plus(Await.PATIENCE)));

        long end = start + time.toNanos();
        List<Long> shares = processes.stream()
                .map(process -> process.grants().stream().mapToLong(grants -> until(end, grants)).sum()).toList();
        long total = shares.stream().mapToLong(share -> share).sum();
        List<Grant> all = inOrder();
        Duration worst = all.stream().map(Grant::waited).max(Comparator.naturalOrder()).orElse(Duration.ZERO);
        System.out.printf("%d processes, %d callers each, %d ms of work, %d s: %s; %,.0f grants per second, "
                        + "%.2f scripts for each; the worst wait was %d ms%n", PROCESSES, CALLERS, work.toMillis(),
                time.toSeconds(), shares.stream().map(share -> String.format("%.1f %%", 100.0 * share / total))
                        .collect(Collectors.joining(", ")), 1e9 * total / time.toNanos(),
                (double) FIXTURE.scriptCalls() / all.size(), worst.toMillis());

        assertThat(processes).flatExtracting(FairnessProcess::errors).isEmpty();
        assertThat(overlaps(all)).as("grants while another was held").isZero();
        assertThat(shares).as("grants by process")
                .allSatisfy(share -> assertThat((double) share / total).isGreaterThanOrEqualTo(LEAST_SHARE));
        assertThat(processes).flatExtracting(FairnessProcess::grants).as("grants by caller")
                .allSatisfy(grants -> assertThat(until(end, grants)).isPositive());
        Duration round = time.multipliedBy(PROCESSES * CALLERS).dividedBy(total);
        assertThat(worst).as("the worst wait")
                .isLessThanOrEqualTo(LONGEST_WAIT.plus(round.multipliedBy(LONGEST_WAIT_IN_ROUNDS)));
    }

    /** Those who waited at the end were still served, but by then not everybody asked again. */
    private static long until(long end, List<Grant> grants) {
        return grants.stream().filter(grant -> grant.began() - end < 0).count();
    }

    private List<Grant> inOrder() {
        return processes.stream()
                .flatMap(process -> process.grants().stream())
                .flatMap(List::stream)
                .sorted(Comparator.comparingLong(Grant::began))
                .toList();
    }

    private static long overlaps(List<Grant> inOrder) {
        long overlaps = 0;
        long latestEnd = Long.MIN_VALUE;
        for (Grant grant : inOrder) {
            if (grant.began() < latestEnd) {
                overlaps++;
            }
            latestEnd = Math.max(latestEnd, grant.ended());
        }
        return overlaps;
    }
}
