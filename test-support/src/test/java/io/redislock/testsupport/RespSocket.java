package io.redislock.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A Redis client that neither reconnects nor resends, so that a test sees what really happened. */
final class RespSocket implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Socket socket = new Socket();

    RespSocket(String host, int port) throws IOException {
        socket.connect(new InetSocketAddress(host, port), (int) PATIENCE.toMillis());
        socket.setTcpNoDelay(true);
    }

    /** Sends one command, in one write. */
    void send(String... command) throws IOException {
        StringBuilder text = new StringBuilder("*" + command.length + "\r\n");
        for (String part : command) {
            text.append('$').append(part.length()).append("\r\n").append(part).append("\r\n");
        }
        socket.getOutputStream().write(text.toString().getBytes(StandardCharsets.US_ASCII));
    }

    /** The next reply: the text of a status, number, error or bulk string, "nil", or "closed". */
    String reply() throws IOException {
        return reply(PATIENCE);
    }

    private String reply(Duration within) throws IOException {
        socket.setSoTimeout((int) within.toMillis());
        String line;
        try {
            line = line();
        } catch (SocketTimeoutException nothing) {
            throw nothing;
        } catch (IOException reset) {
            return "closed";
        }
        if (!line.startsWith("$")) {
            return line.startsWith("+") || line.startsWith(":") ? line.substring(1) : line;
        }
        int length = Integer.parseInt(line.substring(1));
        if (length < 0) {
            return "nil";
        }
        byte[] bulk = socket.getInputStream().readNBytes(length + 2);
        return new String(bulk, 0, length, StandardCharsets.US_ASCII);
    }

    private String line() throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return "closed";
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    /** Sends a command and waits for its reply. */
    String call(String... command) throws IOException {
        send(command);
        return reply();
    }

    /** Whether nothing at all arrives for so long. */
    boolean isSilentFor(Duration time) throws IOException {
        try {
            reply(time);
            return false;
        } catch (SocketTimeoutException nothing) {
            return true;
        }
    }

    /** Leaves, in the middle of a test. */
    void disconnect() throws IOException {
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
