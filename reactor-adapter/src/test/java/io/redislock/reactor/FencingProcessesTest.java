package io.redislock.reactor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Several processes take one lock in turn: 100,000 times in all when all rounds are run, else 10,000 times. */
class FencingProcessesTest {

    private static final int PROCESSES = 4;
    private static final int EACH = Rounds.areFull() ? 25_000 : 2_500;
    /** Many times what it takes on two busy cores. */
    private static final Duration PATIENCE = Await.PATIENCE.plusMillis(EACH * 20L);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    @TempDir
    private Path folder;

    @Test
    @Tag("long")
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void tokensOfSuccessiveHoldersInSeveralProcessesGrow() throws Exception {
        String key = FIXTURE.freshKey();
        String list = key + ":tokens";
        List<Process> workers = new ArrayList<>();
        try {
            for (int i = 0; i < PROCESSES; i++) {
                workers.add(worker(key, list, folder.resolve("worker-" + i + ".log")));
            }
            for (Process worker : workers) {
                assertThat(worker.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).as("ends in time").isTrue();
                assertThat(worker.exitValue()).as(said()).isZero();
            }
        } finally {
            workers.forEach(Process::destroyForcibly);
        }

        List<Long> tokens = FIXTURE.redis().lrange(list, 0, -1).stream().map(Long::valueOf).toList();

        assertThat(tokens).hasSize(PROCESSES * EACH);
        long violations = 0;
        for (int i = 1; i < tokens.size(); i++) {
            if (tokens.get(i) <= tokens.get(i - 1)) {
                violations++;
            }
        }
        System.out.println(tokens.size() + " acquisitions by " + PROCESSES + " processes, " + violations
                + " tokens not greater than the one before");
        assertThat(violations).isZero();
    }

    private String said() throws IOException {
        StringBuilder said = new StringBuilder();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                said.append(Files.readString(file));
            }
        }
        return said.toString();
    }

    private static Process worker(String key, String list, Path log) throws IOException {
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-cp", System.getProperty("java.class.path"), FencingWorker.class.getName(),
                FIXTURE.server().uri(), key, list, Integer.toString(EACH))
                .redirectErrorStream(true).redirectOutput(log.toFile()).start();
    }
}
