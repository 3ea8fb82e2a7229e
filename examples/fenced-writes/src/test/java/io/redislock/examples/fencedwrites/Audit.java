package io.redislock.examples.fencedwrites;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.h2.api.Trigger;

/**
 * What the database itself saw: each change of a report with the token before and after it, in the order in which they
 * were made. A trigger notes it while the row is locked, so for one row that order is the true one.
 */
final class Audit implements AutoCloseable {

    /** {@code before} is 0 where there was no row. */
    record Change(long before, long after) {
    }

    private static final String TABLE = "CREATE TABLE fenced_audit"
            + " (n BIGINT GENERATED ALWAYS AS IDENTITY, id VARCHAR(100), old BIGINT, new BIGINT)";

    private final TestDatabase database;

    Audit(TestDatabase database) {
        this.database = database;
        database.run("DROP TABLE IF EXISTS fenced_audit", TABLE);
        if (database.isH2()) {
            database.run("CREATE TRIGGER fenced_audit AFTER INSERT, UPDATE ON fenced_report FOR EACH ROW CALL '"
                    + OnH2.class.getName() + "'");
        } else {
            database.run("""
                    CREATE OR REPLACE FUNCTION fenced_audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF TG_OP = 'INSERT' THEN INSERT INTO fenced_audit (id, old, new) VALUES (NEW.id, 0, NEW.token);
                    ELSE INSERT INTO fenced_audit (id, old, new) VALUES (NEW.id, OLD.token, NEW.token);
                    END IF; RETURN NULL; END $$""",
                    "CREATE TRIGGER fenced_audit AFTER INSERT OR UPDATE ON fenced_report "
                            + "FOR EACH ROW EXECUTE FUNCTION fenced_audit()");
        }
    }

    Map<String, List<Change>> changes() {
        return database.query("SELECT id, old, new FROM fenced_audit ORDER BY n").stream()
                .map(row -> row.split(" "))
                .collect(Collectors.groupingBy(row -> row[0], Collectors.mapping(
                        row -> new Change(Long.parseLong(row[1]), Long.parseLong(row[2])), Collectors.toList())));
    }

    @Override
    public void close() {
        database.run("DROP TRIGGER fenced_audit" + (database.isH2() ? "" : " ON fenced_report"),
                "DROP TABLE fenced_audit");
        if (!database.isH2()) {
            database.run("DROP FUNCTION fenced_audit");
        }
    }

    /** Called by H2, which makes it by name. */
    public static final class OnH2 implements Trigger {

        @Override
        public void fire(Connection connection, Object[] before, Object[] after) throws SQLException {
            try (PreparedStatement note =
                    connection.prepareStatement("INSERT INTO fenced_audit (id, old, new) VALUES (?, ?, ?)")) {
                note.setObject(1, after[0]);
                note.setObject(2, before == null ? 0 : before[2]);
                note.setObject(3, after[2]);
                note.execute();
            }
        }
    }
}
