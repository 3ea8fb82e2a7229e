package io.redislock.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.lettuce.core.RedisClient;
import io.redislock.testsupport.EmbeddedRedis;
import org.junit.jupiter.api.Test;

class QuickstartTest {

    private static final Pattern EVENT = Pattern.compile("\\s+(\\d+) ms {2}(\\w) (asks for it|holds it|releases it)");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void tellsTheWholeStoryOnARedisOfItsOwn() {
        assertThat(run()).as(err()).isZero();

        assertThat(lines()).first().asString().startsWith("A distributed lock on embedded redis-server");
        assertThat(lines()).last().isEqualTo("Done.");
        assertThat(err()).isEmpty();
        assertThat(lines()).filteredOn(line -> line.matches("\\d\\. .*")).hasSize(7);
    }

    @Test
    void everyLockIsHeldDuringTheWorkAndFreeAfterIt() {
        run();

        assertHeldThenFree("1. Scoped", "resource:order:123");
        assertThat(chapter("2. Extending")).contains("finished", "query: long-task is free");
        assertHeldThenFree("3. Low level", "resource:inventory");
    }

    @Test
    void ofTwoRequestsAtOnceOneIsRefusedAndTheThirdIsServed() {
        run();

        assertThat(chapter("4. A request handler")).containsExactly(
                "second request: 409, order 7 is being charged already",
                "first request: 200, order 7 is charged",
                "third request: 200, order 7 is charged");
    }

    @Test
    void theTimelineShowsOneHolderAtATime() {
        run();

        List<String> timeline = chapter("5. Contention");
        assertThat(timeline).last().isEqualTo("never two at once");
        List<String> waiting = new ArrayList<>();
        List<String> served = new ArrayList<>();
        String holder = null;
        long before = 0;
        for (String line : timeline.subList(0, timeline.size() - 1)) {
            Matcher event = EVENT.matcher("  " + line);
            assertThat(event.matches()).as(line).isTrue();
            long millis = Long.parseLong(event.group(1));
            assertThat(millis).as(line).isGreaterThanOrEqualTo(before);
            before = millis;
            String worker = event.group(2);
            switch (event.group(3)) {
                case "asks for it" -> waiting.add(worker);
                case "holds it" -> {
                    assertThat(holder).as(line).isNull();
                    holder = worker;
                }
                default -> {
                    assertThat(holder).as(line).isEqualTo(worker);
                    holder = null;
                    served.add(worker);
                }
            }
        }
        assertThat(waiting).containsExactlyInAnyOrder("A", "B", "C", "D");
        assertThat(served).containsExactlyInAnyOrder("A", "B", "C", "D");
    }

    @Test
    void theKeyOfACancelledRequestIsGoneAtOnce() {
        run();

        List<String> events = chapter("6. A cancelled request");
        assertThat(events).first().asString().startsWith("query: order:8 is held by ");
        assertThat(events.subList(1, events.size())).containsExactly(
                "the client hangs up", "the work is cancelled", "query: order:8 is free");
    }

    @Test
    void usesTheRedisItIsGivenAndLeavesNothingOnIt() {
        try (EmbeddedRedis redis = EmbeddedRedis.start(); RedisClient client = RedisClient.create(redis.uri())) {
            assertThat(run(redis.uri())).as(err()).isZero();

            assertThat(lines()).first().isEqualTo("A distributed lock on " + redis.uri());
            assertThat(lines()).last().isEqualTo("Done.");
            assertThat(client.connect().sync().info("commandstats")).contains("cmdstat_evalsha");
            assertThat(client.connect().sync().dbsize()).isZero();
        }
    }

    @Test
    void whatIsLostIsToldToTheCallerTheWorkAndTheOperator() {
        run();

        assertThat(chapter("7. Losing")).containsExactly(
                "not to be relied on: DELETED",
                "first message: sent",
                "second message: cancelled, the lock is LOST",
                "meters: 2 losses, 0 held");
    }

    @Test
    void saysWhatToDoWhenRedisCannotBeReached() {
        assertThat(run("redis://user:secret@127.0.0.1:1")).isEqualTo(1);

        assertThat(err())
                .contains("Redis cannot be used", "127.0.0.1", "Connection refused", "-Dredis=redis://host:port")
                .doesNotContain("secret");
        assertThat(out()).doesNotContain("Done", "secret");
    }

    @Test
    void saysWhatToDoWhenTheAddressIsNone() {
        assertThat(run("localhost:6379")).isEqualTo(1);

        assertThat(err()).contains("no address", "-Dredis=redis://host:port");
    }

    @Test
    void asAProgramItEndsWithItsExitCodeAndLogsNothing() throws Exception {
        // As the pom runs it: newer Javas warn of native libraries otherwise.
        Process program = new ProcessBuilder(System.getProperty("java.home") + "/bin/java",
                        "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), Quickstart.class.getName(), "redis://127.0.0.1:1")
                .redirectErrorStream(true)
                .start();
        String printed = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(program.waitFor()).isEqualTo(1);
        assertThat(printed.lines().toList()).as(printed).hasSize(3)
                .first().isEqualTo("A distributed lock on redis://127.0.0.1:1");
    }

    private void assertHeldThenFree(String title, String key) {
        assertThat(chapter(title)).as(title).hasSize(3)
                .last().isEqualTo("query: " + key + " is free");
        assertThat(chapter(title)).first().asString().startsWith("query: " + key + " is held by ");
    }

    private int run(String... args) {
        return Quickstart.run(printingTo(out), printingTo(err), args);
    }

    private static PrintStream printingTo(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private List<String> lines() {
        return out().lines().toList();
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
