package io.redislock.examples.fencedwrites;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reports in a table of which each row keeps the fencing token that it was written with.
 *
 * <p>The decision is the {@code UPDATE}, and nothing but it: it compares and writes in one statement. Two of them on
 * one row wait for each other, and the one that waited compares again, with what the other has left, also under
 * {@code READ COMMITTED}. So of any number of writers, in whatever order they come, the greatest token stays.
 *
 * <p>The first write of a report finds no row. It cannot tell that from a refusal, so it tries to insert. Of several
 * who try at once the primary key lets one through; the others wait for it, and fail. Whoever fails there knows that
 * there is a row now, and asks the {@code UPDATE} again, whose answer is then final. That needs rows that are never
 * deleted: with its row a report would lose its token, and the next late write would be taken. To delete a report,
 * write that it is gone.
 *
 * <p>Each statement is a transaction of its own. In a common one, a failed {@code INSERT} would end it: there, let the
 * rows be there from the beginning, with token 0, and use the {@code UPDATE} alone.
 */
final class SqlReports implements Reports {

    // snippet: fenced-statements
    private static final String CREATE = "CREATE TABLE fenced_report"
            + " (id VARCHAR(100) PRIMARY KEY, content VARCHAR(1000) NOT NULL, token BIGINT NOT NULL)";
    private static final String UPDATE =
            "UPDATE fenced_report SET content = $2, token = $3 WHERE id = $1 AND token <= $3";
    private static final String INSERT =
            "INSERT INTO fenced_report (id, content, token) VALUES ($1, $2, $3)";
    // end

    private static final String SELECT = "SELECT content FROM fenced_report WHERE id = $1";
    private static final String UPDATE_UNCHECKED = UPDATE.replace(" AND token <= $3", "");
    private static final String UNIQUE_VIOLATION = "23505";

    private final Database database;
    private final String update;

    private SqlReports(Database database, String update) {
        this.database = database;
        this.update = update;
    }

    /** As it should be. */
    static SqlReports checked(Database database) {
        return new SqlReports(database, UPDATE);
    }

    /** The same without the comparison, to show what it is good for. */
    static SqlReports unchecked(Database database) {
        return new SqlReports(database, UPDATE_UNCHECKED);
    }

    // snippet: fenced-table
    @Override
    public Mono<Boolean> write(String id, String content, long token) {
        return database.connected(connection -> {
            Mono<Boolean> updated = execute(connection, update, id, content, token);
            Mono<Boolean> inserted = execute(connection, INSERT, id, content, token)
                    .onErrorReturn(SqlReports::isThereAlready, false);
            return Flux.concat(updated, inserted, updated).any(written -> written); // goes no further than needed
        });
    }
    // end

    @Override
    public Mono<String> read(String id) {
        return database.connected(connection -> Flux
                .from(connection.createStatement(SELECT).bind(0, id).execute())
                .flatMap(result -> result.map(row -> row.get(0, String.class)))
                .singleOrEmpty());
    }

    /** Makes the table; fails when it is there already. */
    static Mono<Void> createTable(Database database) {
        return database.connected(connection -> execute(connection, CREATE)).then();
    }

    static Mono<Void> dropTable(Database database) {
        return database.connected(connection -> execute(connection, "DROP TABLE fenced_report")).then();
    }

    /** Whether the statement has changed a row. Told at its end, when it is committed, not when the row is counted. */
    private static Mono<Boolean> execute(Connection connection, String sql, Object... values) {
        return Flux.defer(() -> {
                    Statement statement = connection.createStatement(sql);
                    for (int i = 0; i < values.length; i++) {
                        statement.bind(i, values[i]);
                    }
                    return statement.execute();
                })
                .flatMap(Result::getRowsUpdated)
                .reduce(0L, Long::sum)
                .map(rows -> rows > 0);
    }

    private static boolean isThereAlready(Throwable failure) {
        return failure instanceof R2dbcException sql && UNIQUE_VIOLATION.equals(sql.getSqlState());
    }
}
