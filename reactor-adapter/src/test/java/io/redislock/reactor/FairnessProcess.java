package io.redislock.reactor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** A JVM that runs {@link FairnessWorker}. It ends by itself when this one does. */
final class FairnessProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;
    private final List<List<FairnessWorker.Grant>> grants = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();
    /** What else it printed: why it died, if it did. */
    private final List<String> said = new ArrayList<>();

    private FairnessProcess(Process process, int callers) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (int caller = 0; caller < callers; caller++) {
            grants.add(new ArrayList<>());
        }
    }

    /** Small, and compiled quickly: several of them share a machine with the server. */
    static FairnessProcess start(String uri, String key, int callers, Duration work) {
        try {
            return new FairnessProcess(new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                    "-cp", System.getProperty("java.class.path"), FairnessWorker.class.getName(),
                    uri, key, Integer.toString(callers), Long.toString(work.toMillis()))
                    .redirectErrorStream(true).start(), callers);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until it could begin. Returns its {@link System#nanoTime} of that moment. */
    long awaitReady() {
        return Long.parseLong(within(Await.PATIENCE, () -> line("READY ")));
    }

    void go(Duration time) {
        try {
            OutputStream input = process.getOutputStream();
            input.write(("GO " + time.toMillis() + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException e) {
            throw new IllegalStateException(String.join("\n", said), e);
        }
    }

    /** Waits for what it prints at its end. */
    void awaitResult(Duration atMost) {
        within(atMost, () -> line("END"));
    }

    /** By caller. */
    List<List<FairnessWorker.Grant>> grants() {
        return grants;
    }

    List<String> errors() {
        return errors;
    }

    /** The rest of the next line that begins so. */
    private String line(String beginning) {
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(beginning)) {
                    return line.substring(beginning.length());
                }
                take(line);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        throw new AssertionError("The process has ended: " + String.join("\n", said));
    }

    private void take(String line) {
        String[] words = line.split(" ");
        if (words[0].equals("GRANT")) {
            grants.get(Integer.parseInt(words[1])).add(new FairnessWorker.Grant(
                    Long.parseLong(words[2]), Long.parseLong(words[3]), Long.parseLong(words[4])));
        } else if (words[0].equals("ERROR")) {
            errors.add(line);
        } else {
            said.add(line);
        }
    }

    private <T> T within(Duration bound, Supplier<T> read) {
        try {
            return CompletableFuture.supplyAsync(read).get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("Not within " + bound, e);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
