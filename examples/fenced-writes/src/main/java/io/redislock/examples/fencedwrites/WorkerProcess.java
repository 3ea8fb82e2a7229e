package io.redislock.examples.fencedwrites;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import io.redislock.testsupport.ProcessSignal;

/** The process of a {@link PausedWorker}, seen from outside. It lives for a minute at most. */
final class WorkerProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader printed;

    private WorkerProcess(Process process) {
        this.process = process;
        this.printed = process.inputReader(StandardCharsets.UTF_8);
        // A stopped process does not notice that its parent has gone.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        process.onExit().orTimeout(1, TimeUnit.MINUTES).exceptionally(late -> process.destroyForcibly());
    }

    static WorkerProcess start(Destination destination, String redis, String database) {
        ProcessBuilder command = new ProcessBuilder(System.getProperty("java.home") + "/bin/java",
                "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1",
                "-cp", System.getProperty("java.class.path"), PausedWorker.class.getName(), destination.name());
        command.environment().put("REDIS", redis);
        command.environment().put("DATABASE", database); // not an argument, which others could read
        try {
            return new WorkerProcess(command.redirectErrorStream(true).start());
        } catch (IOException failure) {
            throw new UncheckedIOException("Worker A could not be started", failure);
        }
    }

    /** The next line that it prints. */
    String line() {
        try {
            String line = printed.readLine();
            if (line == null) {
                throw new IllegalStateException("Worker A has ended half-way");
            }
            return line;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Freezes it; returns when it stands still. */
    void stop() {
        ProcessSignal.stop(process.pid());
    }

    /** Lets it go on, past the gate. */
    void goOn() {
        try (OutputStream gate = process.getOutputStream()) {
            gate.write('\n');
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        ProcessSignal.proceed(process.pid());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
