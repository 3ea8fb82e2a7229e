package io.redislock.reactor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.redislock.testsupport.RedisServer;

/**
 * The commands that clients send to a server, in the order in which it runs them, by its own account (MONITOR). What
 * scripts call is left out. For a server without a password.
 */
final class ServerMonitor implements AutoCloseable {

    /** {@code +1700000000.123456 [0 127.0.0.1:50000] "evalsha" "..." ...}. */
    private static final Pattern LINE = Pattern.compile("\\+(\\d+)\\.(\\d{6}) \\[\\d+ (\\S+)] (.*)");
    private static final Pattern ARGUMENT = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final String SCRIPT = "lua";

    private final Socket socket;
    private final BiConsumer<Long, List<String>> commands;
    private final Thread reader;
    private volatile List<String> last = List.of();

    private ServerMonitor(Socket socket, BufferedReader lines, BiConsumer<Long, List<String>> commands) {
        this.socket = socket;
        this.commands = commands;
        this.reader = new Thread(() -> read(lines), "monitor");
    }

    /**
     * Begins to watch; sees what is sent after this has returned.
     *
     * @param commands told, on one thread, the server's time in microseconds and the arguments, escaped as in MONITOR
     */
    static ServerMonitor of(RedisServer server, BiConsumer<Long, List<String>> commands) {
        try {
            Socket socket = new Socket(server.host(), server.port());
            socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
            BufferedReader lines = new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            String answer = lines.readLine();
            if (!"+OK".equals(answer)) {
                socket.close();
                throw new IllegalStateException("MONITOR was answered with " + answer);
            }
            ServerMonitor monitor = new ServerMonitor(socket, lines, commands);
            monitor.reader.start();
            return monitor;
        } catch (IOException failed) {
            throw new UncheckedIOException("Cannot watch " + server.describe(), failed);
        }
    }

    /** Returns when a command with these arguments is the last that was told. */
    void awaitLast(String... command) {
        Await.until("the monitor has seen " + String.join(" ", command), () -> last.equals(List.of(command)));
    }

    private void read(BufferedReader lines) {
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher parts = LINE.matcher(line);
                if (parts.matches() && !parts.group(3).equals(SCRIPT)) {
                    List<String> command = arguments(parts.group(4));
                    commands.accept(Long.parseLong(parts.group(1) + parts.group(2)), command);
                    last = command;
                }
            }
        } catch (IOException closed) {
            // the end
        }
    }

    private static List<String> arguments(String text) {
        List<String> arguments = new ArrayList<>();
        Matcher argument = ARGUMENT.matcher(text);
        while (argument.find()) {
            arguments.add(argument.group(1));
        }
        return arguments;
    }

    @Override
    public void close() {
        try {
            socket.close();
            reader.join(Await.PATIENCE.toMillis());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
