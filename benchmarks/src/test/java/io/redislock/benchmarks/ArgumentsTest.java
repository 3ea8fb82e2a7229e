package io.redislock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {

    @ParameterizedTest
    @ValueSource(strings = {"uncontended", "handoff", "processes", "wakeup", "idle", "memory", "scale"})
    void eachSuiteHasItsName(String name) {
        Arguments.Run run = (Arguments.Run) Arguments.of(name);
        assertThat(run.suites()).extracting(Suite::name).containsExactly(name);
        assertThat(run.redis()).isNull();
        assertThat(run.json()).isNull();
        assertThat(run.seconds()).isNull();
    }

    @Test
    void allIsEverySuite() {
        assertThat(((Arguments.Run) Arguments.of("all")).suites()).hasSize(7);
    }

    @Test
    void optionsComeInAnyOrder() {
        Arguments.Run run = (Arguments.Run) Arguments.of(
                "idle", "--seconds", "9", "--json", "out.json", "--redis", "redis://127.0.0.1:6380");
        assertThat(run.seconds()).isEqualTo(9);
        assertThat(run.json()).isEqualTo(Path.of("out.json"));
        assertThat(run.redis()).isEqualTo("redis://127.0.0.1:6380");
    }

    @Test
    void reportHasFilesAndAFolder() {
        Arguments.MakeReport report =
                (Arguments.MakeReport) Arguments.of("report", "a.json", "--out", "there", "b.json");
        assertThat(report.results()).containsExactly(Path.of("a.json"), Path.of("b.json"));
        assertThat(report.folder()).isEqualTo(Path.of("there"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nonsense                      | there is no suite nonsense
            idle --sceonds 3              | what is --sceonds?
            idle --seconds                | --seconds needs a value
            idle --seconds 0              | --seconds needs a whole number from 1, not 0
            idle --seconds soon           | --seconds needs a whole number from 1, not soon
            idle --redis localhost        | --redis needs a URI like redis://127.0.0.1:6379, not localhost
            report                        | report needs the JSON files of one run or more
            report a.json --json b.json   | what is --json?
            """)
    void mistakesAreNamed(String words, String message) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> Arguments.of(words.split(" ")))
                .withMessage(message);
    }

    @Test
    void noArgumentsAreAMistakeToo() {
        assertThatExceptionOfType(UsageException.class).isThrownBy(Arguments::of).withMessage("which suite?");
    }
}
