package io.redislock.examples.fencedwrites;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The program, run once: each test reads a part of what it told. */
class LateWriteStoryTest {

    private static final ByteArrayOutputStream OUT = new ByteArrayOutputStream();
    private static final ByteArrayOutputStream ERR = new ByteArrayOutputStream();

    private static int exitCode;

    @BeforeAll
    static void run() {
        exitCode = LateWriteStory.run(print(OUT), print(ERR), TestDatabase.url());
        System.out.println(OUT.toString(StandardCharsets.UTF_8));
    }

    @Test
    void endsWellAndSaysSo() {
        assertThat(ERR.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(exitCode).isZero();
        assertThat(lines()).last().isEqualTo("Done.");
    }

    @Test
    void whereNothingIsComparedTheLateWriteOverwritesThatOfTheLaterHolder() {
        assertThat(chapter("1. A table that takes every write")).containsExactly(
                "A has the lock", "A looks at its lock: HELD", "A stands still",
                "B has the lock", "B writes its report: accepted",
                "A goes on", "A writes its report: accepted",
                "The report is A's. That of B, who had the lock after A, is lost.");
    }

    @Test
    void theTableRefusesTheLateWrite() {
        assertRefused(chapter("2. A table that compares the tokens"));
    }

    @Test
    void redisRefusesTheLateWrite() {
        assertRefused(chapter("3. Redis"));
    }

    @Test
    void theLaterHolderHasTheGreaterToken() {
        List<Long> tokens = lines().stream()
                .filter(line -> line.contains("token "))
                .map(line -> Long.parseLong(line.replaceFirst(".*token ", "")))
                .toList();

        assertThat(tokens).hasSize(6).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void saysWhatToDoWhenTheDatabaseCannotBeReached() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        assertThat(LateWriteStory.run(print(new ByteArrayOutputStream()), print(err),
                "r2dbc:postgresql://user:secret@127.0.0.1:1/reports")).isEqualTo(1);

        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("The database cannot be used", "127.0.0.1", "-Dr2dbc=")
                .doesNotContain("secret");
    }

    private static void assertRefused(List<String> chapter) {
        assertThat(chapter).containsExactly(
                "A has the lock", "A looks at its lock: HELD", "A stands still",
                "B has the lock", "B writes its report: accepted",
                "A goes on", "A writes its report: refused",
                "The report is still B's.");
    }

    private static PrintStream print(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static List<String> lines() {
        return OUT.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /** What is told under the title that begins like this, without times, durations and tokens. */
    private static List<String> chapter(String title) {
        return lines().stream()
                .dropWhile(line -> !line.startsWith(title))
                .skip(1)
                .takeWhile(line -> !line.isEmpty())
                .map(line -> line.replaceFirst("^ *(\\d+ ms)? *", "").replaceFirst("( for 2 s)?, token \\d+$", ""))
                .toList();
    }
}
