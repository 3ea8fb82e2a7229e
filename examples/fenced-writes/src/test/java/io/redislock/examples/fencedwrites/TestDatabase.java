package io.redislock.examples.fencedwrites;

import java.time.Duration;
import java.util.List;

import reactor.core.publisher.Flux;

/**
 * The database of a test, with an empty table of reports: an H2 of its own, or the PostgreSQL whose {@code r2dbc:} URL
 * the system property {@code redislock.r2dbc} names, in which that table may be dropped.
 */
final class TestDatabase implements AutoCloseable {

    private static final Duration LONGEST = Duration.ofSeconds(30);
    private static final String URL = System.getProperty("redislock.r2dbc", "");

    private final SharedH2 h2 = URL.isEmpty() ? SharedH2.start() : null;
    private final Database database = Database.at(isH2() ? h2.url() : URL);

    TestDatabase() {
        System.out.println(database.describe().block(LONGEST));
        run("DROP TABLE IF EXISTS fenced_report");
        SqlReports.createTable(database).block(LONGEST);
    }

    static String url() {
        return URL;
    }

    boolean isH2() {
        return URL.isEmpty();
    }

    Database database() {
        return database;
    }

    void run(String... statements) {
        for (String sql : statements) {
            query(sql);
        }
    }

    /** The columns of each row as text, a space between them. */
    List<String> query(String sql) {
        return database.connected(connection -> Flux.from(connection.createStatement(sql).execute())
                        .flatMap(result -> result.map((row, columns) -> columns.getColumnMetadatas().stream()
                                .map(column -> String.valueOf(row.get(column.getName())))
                                .reduce((left, right) -> left + " " + right).orElseThrow()))
                        .collectList())
                .block(LONGEST);
    }

    /** How many connections it has, that of this question among them. */
    int connections() {
        return Integer.parseInt(query(isH2()
                ? "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS"
                : "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()").get(0));
    }

    /** How many updates wait for a row that another connection has changed. */
    int waiting() {
        return Integer.parseInt(query(isH2()
                ? "SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE EXECUTING_STATEMENT LIKE 'UPDATE%'"
                : "SELECT COUNT(*) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND wait_event_type = 'Lock'").get(0));
    }

    @Override
    public void close() {
        SqlReports.dropTable(database).block(LONGEST);
        if (isH2()) {
            h2.close();
        }
    }
}
