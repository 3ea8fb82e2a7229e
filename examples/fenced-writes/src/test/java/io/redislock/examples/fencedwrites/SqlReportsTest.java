package io.redislock.examples.fencedwrites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;

import io.r2dbc.spi.R2dbcException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a table answers to writers that come one after the other. */
class SqlReportsTest {

    private final TestDatabase database = new TestDatabase();
    private final Reports reports = SqlReports.checked(database.database());

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void anOlderTokenIsRefusedAndChangesNothing() {
        assertThat(write(reports, "new", 34)).isTrue();

        assertThat(write(reports, "old", 33)).isFalse();

        assertThat(database.query("SELECT id, content, token FROM fenced_report")).containsExactly("r new 34");
    }

    @Test
    void theSameTokenMayWriteAgain() {
        write(reports, "first half", 34);

        assertThat(write(reports, "both halves", 34)).isTrue();

        assertThat(read()).isEqualTo("both halves");
    }

    @Test
    void aNewerTokenOverwritesAndIsComparedWithFromThenOn() {
        write(reports, "of 33", 33);

        assertThat(write(reports, "of 35", 35)).isTrue();

        assertThat(write(reports, "of 34", 34)).isFalse();
        assertThat(read()).isEqualTo("of 35");
    }

    @Test
    void tokensOfOneReportAreNotComparedWithThoseOfAnother() {
        write(reports, "new", 34);

        assertThat(reports.write("another", "old", 33).block(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void withoutTheCheckAnOlderTokenOverwrites() {
        Reports unchecked = SqlReports.unchecked(database.database());
        write(unchecked, "new", 34);

        assertThat(write(unchecked, "old", 33)).isTrue();

        assertThat(read()).isEqualTo("old");
    }

    @Test
    void whatIsNotThereIsEmpty() {
        assertThat(reports.read("r").blockOptional(Duration.ofSeconds(10))).isEmpty();
    }

    @Test
    void whatTheTableCannotHoldIsAnErrorAndNoRefusal() {
        assertThatThrownBy(() -> write(reports, "x".repeat(1001), 34)).isInstanceOf(R2dbcException.class);
    }

    @Test
    void nothingIsWrittenBeforeASubscriptionAndEachOneWrites() {
        var write = reports.write("r", "content", 34);
        assertThat(read()).isNull();
        write.block(Duration.ofSeconds(10));
        write(reports, "newer", 35);

        assertThat(write.block(Duration.ofSeconds(10))).isFalse();
    }

    private Boolean write(Reports to, String content, long token) {
        return to.write("r", content, token).block(Duration.ofSeconds(10));
    }

    private String read() {
        return reports.read("r").block(Duration.ofSeconds(10));
    }
}
