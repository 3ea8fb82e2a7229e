package io.redislock.examples.fencedwrites;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.redislock.examples.fencedwrites.Audit.Change;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Many writers at once, with tokens in any order, some of them equal: whatever the order, the greatest stays. */
class SqlReportsRaceTest {

    private static final int ROUNDS = 200;
    private static final int MOST_WRITERS = 8;

    private record Writer(long token, boolean accepted) {
    }

    private final TestDatabase database = new TestDatabase();
    private final Audit audit = new Audit(database);
    private final Reports reports = SqlReports.checked(database.database());
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @AfterEach
    void close() {
        audit.close();
        database.close();
    }

    @Test
    void ofManyWritersOfANewReportTheGreatestTokenStays() {
        Map<String, List<Writer>> writers = new HashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            writers.put("r" + round, race("r" + round, 1, 2 + random.nextInt(MOST_WRITERS - 1)));
        }

        assertEachReportWentForwardOnly(writers);
    }

    @Test
    void ofManyWritersOfOneReportTheGreatestTokenStays() {
        assertThat(reports.write("r", "0", 1).block(Duration.ofSeconds(10))).isTrue();
        List<Writer> writers = new ArrayList<>(List.of(new Writer(1, true)));
        for (int round = 0; round < ROUNDS; round++) {
            writers.addAll(race("r", 1 + 4 * round, MOST_WRITERS)); // half of them below what is there
        }

        assertEachReportWentForwardOnly(Map.of("r", writers));
    }

    /** All at once, with tokens drawn from as many as there are writers: some are drawn twice, some not at all. */
    private List<Writer> race(String id, long first, int writers) {
        return Flux.fromStream(random.longs(writers, first, first + writers).boxed())
                .flatMap(token -> reports.write(id, Long.toString(token), token)
                        .map(accepted -> new Writer(token, accepted)), writers)
                .collectList()
                .block(Duration.ofSeconds(30));
    }

    private void assertEachReportWentForwardOnly(Map<String, List<Writer>> writers) {
        Map<String, List<Change>> changes = audit.changes();
        assertThat(changes.keySet()).as("seed %d", seed).isEqualTo(writers.keySet());
        writers.forEach((id, asked) -> {
            String round = "seed " + seed + ", " + id + ": " + asked + " " + changes.get(id);
            long greatest = asked.stream().mapToLong(Writer::token).max().orElseThrow();
            long last = 0;
            for (Change change : changes.get(id)) {
                assertThat(change.before()).as(round).isEqualTo(last);
                assertThat(change.after()).as(round).isGreaterThanOrEqualTo(last);
                last = change.after();
            }
            assertThat(last).as(round).isEqualTo(greatest);
            assertThat(reports.read(id).block(Duration.ofSeconds(10))).as(round).isEqualTo(Long.toString(greatest));
            // What was answered is what was done, and who has the greatest token is never refused.
            assertThat(changes.get(id)).as(round).extracting(Change::after).containsExactlyInAnyOrderElementsOf(
                    asked.stream().filter(Writer::accepted).map(Writer::token).toList());
            assertThat(asked).as(round).filteredOn(writer -> writer.token() == greatest)
                    .allMatch(Writer::accepted);
        });
    }
}
