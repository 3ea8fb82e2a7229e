package io.redislock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;

class ResultsTest {

    private final Results results = new Results(row -> { });

    private void add(LockLibrary library, Setting setting, String measure, double value) {
        results.add(Row.of("uncontended", measure, library, setting, value, "cycles/s"));
    }

    @Test
    void ratiosAreToTheSameMeasureUnderTheSameConditions() {
        add(LockLibrary.REACTIVE_REDIS_LOCK, Setting.inFlight(64), "cycles", 300);
        add(LockLibrary.LETTUCE, Setting.inFlight(1), "cycles", 1);
        add(LockLibrary.LETTUCE, Setting.inFlight(64), "allocated", 2);
        add(LockLibrary.LETTUCE, Setting.inFlight(64).keys(100), "cycles", 3);
        add(LockLibrary.LETTUCE, Setting.inFlight(64), "cycles", 100);
        add(LockLibrary.REDISSON, Setting.inFlight(64), "cycles", 30);
        Row ours = results.rows().get(0);
        assertThat(ours.vsLettuce()).isEqualTo(3);
        assertThat(ours.vsRedisson()).isEqualTo(10);
    }

    @Test
    void thereIsNoRatioToItselfNorToNothing() {
        add(LockLibrary.LETTUCE, Setting.inFlight(64), "cycles", 100);
        add(LockLibrary.POLLING, Setting.waiters(64), "cycles", 100);
        List<Row> rows = results.rows();
        assertThat(rows).allSatisfy(row -> assertThat(row.vsLettuce()).isNull());
        assertThat(rows).allSatisfy(row -> assertThat(row.vsRedisson()).isNull());
    }

    @Test
    void aPeerThatMeasuredZeroGivesNoRatio() {
        add(LockLibrary.REACTIVE_REDIS_LOCK, Setting.waiters(1_000), "commands", 1);
        add(LockLibrary.REDISSON, Setting.waiters(1_000), "commands", 0);
        assertThat(results.rows().get(0).vsRedisson()).isNull();
    }
}
