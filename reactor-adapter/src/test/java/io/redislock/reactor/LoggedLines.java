package io.redislock.reactor;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is logged from its creation until it is closed: the logger of these tests writes to standard error. */
final class LoggedLines implements AutoCloseable {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    LoggedLines() {
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    }

    List<String> naming(String key) {
        return with('"' + key + '"');
    }

    List<String> with(String text) {
        return written.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains(text)).toList();
    }

    @Override
    public void close() {
        System.setErr(before);
    }
}
