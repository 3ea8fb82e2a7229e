package io.redislock.examples.fencedwrites;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;

import org.h2.tools.Server;

/** An H2 in the memory of this process, which other processes of this machine can reach: the story needs two. */
final class SharedH2 implements AutoCloseable {

    static {
        System.setProperty("h2.bindAddress", "127.0.0.1"); // read when H2's own classes are loaded
    }

    private final String name = "reports-" + UUID.randomUUID();
    private final String password = UUID.randomUUID().toString(); // whoever may connect to an H2 can run code in it
    private final Connection keptOpen; // with its last connection the database goes
    private final Server server;

    private SharedH2() throws SQLException {
        keptOpen = DriverManager.getConnection("jdbc:h2:mem:" + name, "story", password);
        server = Server.createTcpServer("-tcpPort", "0", "-tcpDaemon").start();
    }

    static SharedH2 start() {
        try {
            return new SharedH2();
        } catch (SQLException failure) {
            throw new IllegalStateException("No H2 could be started: " + failure.getMessage(), failure);
        }
    }

    /** For this process. */
    String url() {
        return "r2dbc:h2:mem://story:" + password + "@localhost/" + name;
    }

    /** For other processes of this machine. */
    String urlByTcp() {
        String tcp = "tcp%3A%2F%2F127.0.0.1:" + server.getPort() + "/mem:" + name;
        return "r2dbc:h2://story:" + password + "@localhost/?url=" + tcp;
    }

    @Override
    public void close() {
        server.stop();
        try {
            keptOpen.close();
        } catch (SQLException failure) {
            throw new IllegalStateException("H2 could not be closed: " + failure.getMessage(), failure);
        }
    }
}
