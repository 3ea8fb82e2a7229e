package io.redislock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerCountersTest {

    private static final String STATS = """
            # Commandstats\r
            cmdstat_evalsha:calls=42,usec=900,usec_per_call=21.43,rejected_calls=0,failed_calls=0\r
            cmdstat_evalsha_ro:calls=7,usec=1,usec_per_call=1.00,rejected_calls=0,failed_calls=0\r
            """;

    @Test
    void callsAreThoseOfExactlyThisCommand() {
        assertThat(ServerCounters.calls(STATS, "evalsha")).isEqualTo(42);
    }

    @Test
    void aCommandThatNobodyHasSentHasNoCalls() {
        assertThat(ServerCounters.calls(STATS, "eval")).isZero();
    }
}
