package io.redislock.examples.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import io.redislock.testsupport.EmbeddedRedis;
import org.junit.jupiter.api.Test;

class PipelinesTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void tellsTheWholeStory() {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            assertThat(run(redis)).as(err.toString(StandardCharsets.UTF_8)).isZero();
        }

        assertThat(err.size()).isZero();
        assertThat(lines()).first().asString().startsWith("Five pipelines with a lock, on embedded redis-server");
        assertThat(lines()).last().isEqualTo("Done.");
        assertThat(lines()).filteredOn(line -> line.matches("\\d\\. .*")).hasSize(5);
        assertThat(chapter("1. A stream")).hasSize(11)
                .last().isEqualTo("five events done, never two at once for one account");
        assertThat(chapter("2. usingWhen")).containsExactly(
                "by itself, usingWhen stops nothing:",
                "first document: indexed",
                "(somebody deletes the key)",
                "second document: indexed",
                "third document: indexed",
                "with whileHeld around the work:",
                "first document: indexed",
                "(somebody deletes the key)",
                "second document: cancelled",
                "LockLostException: DELETED");
        assertThat(chapter("3. A job")).containsExactly(
                "B  tick 1: skips, it is running elsewhere",
                "A  tick 1: has run it",
                "B  tick 1: skips, it is done",
                "B  tick 2: has run it",
                "A  tick 2: skips, it is done",
                "every 100 ms, B's clock 30 ms late: no tick is run twice");
        assertThat(chapter("4. A cache")).containsExactly(
                "one builds",
                "five wait for it",
                "all six have report no. 1",
                "another report, which is not ready in time: busy, come back later");
        assertThat(chapter("5. A long import")).containsExactly(
                "A  batch 1 took longer than a lease, which was renewed",
                "A  batch 1: done",
                "A  batch 2: done",
                "(somebody deletes the key)",
                "A  batch 3: cancelled",
                "LockLostException: DELETED",
                "B  batch 3: done",
                "B  batch 4: done",
                "B  batch 5: done");
    }

    @Test
    void saysWhyAStoryCannotBeTold() {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            redis.kill();

            assertThat(run(redis)).isEqualTo(1);
        }

        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("The story ends here: ").contains("connect");
        assertThat(lines()).doesNotContain("Done.");
    }

    private int run(EmbeddedRedis redis) {
        return Pipelines.run(redis, new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private List<String> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /** What is told under the title that begins like this. */
    private List<String> chapter(String title) {
        return lines().stream()
                .dropWhile(line -> !line.startsWith(title))
                .skip(1)
                .takeWhile(line -> !line.isEmpty())
                .map(String::strip)
                .toList();
    }
}
