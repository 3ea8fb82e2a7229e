package io.redislock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFileTest {

    private static final Environment ENVIRONMENT =
            new Environment("7.0.15", "Some VM 17", "Linux amd64", 2, Map.of("lettuce", "7.7.0.RELEASE"));

    private static ResultFile some() {
        return new ResultFile(ENVIRONMENT, List.of(
                Row.of("scale", "cycles", LockLibrary.REACTIVE_REDIS_LOCK, Setting.inFlight(64).keys(100), 1234.5678,
                        "cycles/s").with(2.0, 8.25),
                Row.of("processes", "share", LockLibrary.REDISSON, Setting.waiters(16).process(4), 25, "%")));
    }

    @Test
    void aRowHasItsSuiteLibraryConditionsValueUnitAndRatios() throws Exception {
        JsonNode row = new ObjectMapper().readTree(some().toJson()).at("/rows/0");
        assertThat(row.toString()).isEqualTo("""
                {"suite":"scale","measure":"cycles","library":"reactive-redis-lock","inFlight":64,"keys":100,\
                "value":1234.568,"unit":"cycles/s","vsLettuce":2.0,"vsRedisson":8.25}""");
    }

    @Test
    void whatARowDoesNotHaveIsLeftOut() throws Exception {
        JsonNode row = new ObjectMapper().readTree(some().toJson()).at("/rows/1");
        assertThat(row.toString()).isEqualTo("""
                {"suite":"processes","measure":"share","library":"redisson","waiters":16,"process":4,\
                "value":25.0,"unit":"%"}""");
    }

    @Test
    void theEnvironmentSaysVersionsAndProcessors() throws Exception {
        JsonNode environment = new ObjectMapper().readTree(some().toJson()).at("/environment");
        assertThat(environment.toString()).isEqualTo("""
                {"redis":"7.0.15","jvm":"Some VM 17","os":"Linux amd64","cpus":2,\
                "versions":{"lettuce":"7.7.0.RELEASE"}}""");
    }

    @Test
    void whatIsWrittenCanBeRead(@TempDir Path folder) {
        Path file = folder.resolve("new").resolve("results.json");
        some().write(file);
        ResultFile read = ResultFile.read(file);
        assertThat(read.environment()).isEqualTo(ENVIRONMENT);
        assertThat(read.rows()).hasSize(2);
        assertThat(read.rows().get(1)).isEqualTo(some().rows().get(1));
    }

    @Test
    void anotherFileIsRefusedByName(@TempDir Path folder) throws Exception {
        Path none = folder.resolve("none.json");
        assertThatExceptionOfType(UsageException.class).isThrownBy(() -> ResultFile.read(none))
                .withMessageContaining("none.json");
        for (String text : new String[] {"{}", "no JSON", "[]", ""}) {
            Path other = Files.writeString(folder.resolve("other.json"), text);
            assertThatExceptionOfType(UsageException.class).as(text).isThrownBy(() -> ResultFile.read(other))
                    .withMessageContaining("other.json is no result of a suite");
        }
    }
}
