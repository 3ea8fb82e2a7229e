package io.redislock.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Asks a server over a plain socket whether it is there, and who it is. No client library, so none is needed. */
final class RedisPing {

    private static final int TIMEOUT_MILLIS = 1000;

    private RedisPing() {}

    /**
     * What the server said to {@code PING} and {@code INFO server}, up to its process id.
     *
     * @throws IOException when nobody listens, or nothing came within a second
     */
    static String ask(String host, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write("PING\r\nINFO server\r\n".getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            byte[] some = new byte[4096];
            StringBuilder reply = new StringBuilder();
            while (!complete(reply)) {
                int length = in.read(some);
                if (length < 0) {
                    break;
                }
                reply.append(new String(some, 0, length, StandardCharsets.ISO_8859_1));
            }
            return reply.toString();
        }
    }

    /** Whether a reply of {@link #ask} is one of a server that is ready. One that wants a password is. */
    static boolean saysReady(String reply) {
        return reply.startsWith("+PONG") || reply.startsWith("-NOAUTH");
    }

    /**
     * Whether a reply does not contradict that it came from this process: a server of another process may have taken
     * the port. One that does not say its process id (renamed INFO, password) is believed.
     */
    static boolean mayBeFrom(long pid, String reply) {
        return !reply.contains("process_id:") || reply.contains("process_id:" + pid + "\r\n");
    }

    /** Whether a server that is ready answers now. */
    static boolean isReady(String host, int port) {
        try {
            return saysReady(ask(host, port));
        } catch (IOException nobody) {
            return false;
        }
    }

    /** Whether somebody accepts connections there now. */
    static boolean isListening(String host, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
            return true;
        } catch (IOException nobody) {
            return false;
        }
    }

    private static boolean complete(StringBuilder reply) {
        int id = reply.indexOf("process_id:");
        if (id >= 0) {
            return reply.indexOf("\r\n", id) > 0;
        }
        int secondLine = reply.indexOf("\r\n") + 2;
        boolean error = secondLine > 1 && secondLine < reply.length() && reply.charAt(secondLine) == '-';
        return error && reply.indexOf("\r\n", secondLine) > 0;
    }
}
