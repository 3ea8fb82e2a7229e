package io.redislock.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link Contender} that was started, and is killed when this is closed. */
final class ContenderProcess implements AutoCloseable {

    private final Process process;
    private final PrintStream orders;
    private final BufferedReader answers;

    private ContenderProcess(Process process) {
        this.process = process;
        this.orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Starts one.
     *
     * @param redis the URI of the server
     * @param heap the most its heap may have, as for {@code -Xmx}
     */
    static ContenderProcess start(String redis, String heap) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx" + heap);
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(Contender.class.getName());
        try {
            ContenderProcess started = new ContenderProcess(
                    new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
            started.order(redis);
            return started;
        } catch (IOException failed) {
            throw new UncheckedIOException("Could not start another JVM", failed);
        }
    }

    /** Sends an order; what it answers is to be read with {@link #answer}. */
    void order(String order) {
        orders.println(order);
    }

    /** Waits for the next answer, which must begin with this word, and returns the words after it. */
    String[] answer(String expected) {
        String line;
        try {
            line = answers.readLine();
        } catch (IOException broken) {
            throw new UncheckedIOException("The other process cannot be read", broken);
        }
        if (line == null || !(line + " ").startsWith(expected + " ")) {
            throw new IllegalStateException("The other process should say " + expected + ", but "
                    + (line == null ? "ended" : "says: " + line));
        }
        return line.substring(expected.length()).trim().split(" ");
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
