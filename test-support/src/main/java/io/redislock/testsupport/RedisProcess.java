package io.redislock.testsupport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One run of {@code redis-server}, from its start to its end. A restart is another run. */
final class RedisProcess {

    /** For a machine that does much else; a server is usually there within 50 ms. */
    private static final Duration START_WITHIN = Duration.ofSeconds(20);
    private static final Duration END_WITHIN = Duration.ofSeconds(2);

    private final Process process;
    private final DeathWatch watch;
    private final Path log;

    private RedisProcess(Process process, DeathWatch watch, Path log) {
        this.process = process;
        this.watch = watch;
        this.log = log;
        // Also when the server ends by itself, see DeathWatch.dismiss.
        process.onExit().thenRun(watch::dismiss);
    }

    /** Thrown when somebody else took the port between the search and the start. */
    static final class PortTakenException extends Exception {
        PortTakenException(String message) {
            super(message);
        }
    }

    /**
     * Starts a server and waits until it answers.
     *
     * @param folder where its configuration file {@code redis.conf} lies, and its log will
     * @throws PortTakenException when the server could not listen on its port
     * @throws IllegalStateException when it does not come up for another reason, with the end of its log
     */
    static RedisProcess start(Path folder, int port, boolean sentinel) throws PortTakenException {
        RedisProcess started = launch(folder, sentinel);
        boolean ready = false;
        try {
            started.awaitReady(port);
            ready = true;
            return started;
        } finally {
            if (!ready) {
                started.kill();
            }
        }
    }

    private static RedisProcess launch(Path folder, boolean sentinel) {
        Path log = folder.resolve("redis.log");
        List<String> command = new ArrayList<>();
        command.add(RedisBinary.locate().toString());
        command.add(folder.resolve("redis.conf").toString());
        if (sentinel) {
            command.add("--sentinel");
        }
        Process process = null;
        try {
            process = startUnlessBusy(new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile()));
            process.getOutputStream().close();
            return new RedisProcess(process, DeathWatch.over(process, folder), log);
        } catch (IOException e) {
            if (process != null) {
                process.destroyForcibly();
            }
            throw new IllegalStateException("Could not start " + command
                    + " (a java.io.tmpdir from which programs may run is needed)", e);
        }
    }

    // A thread that forks while another unpacks the program has that file open for writing until it executes its own.
    private static Process startUnlessBusy(ProcessBuilder builder) throws IOException {
        Process[] started = new Process[1];
        IOException[] failure = new IOException[1];
        boolean done = Poll.until(Duration.ofSeconds(2), () -> {
            try {
                started[0] = builder.start();
                return true;
            } catch (IOException e) {
                failure[0] = e;
                return !String.valueOf(e.getMessage()).contains("Text file busy");
            }
        });
        if (!done || started[0] == null) {
            throw failure[0];
        }
        return started[0];
    }

    private void awaitReady(int port) throws PortTakenException {
        boolean inTime = Poll.until(START_WITHIN, () -> !process.isAlive() || answers(port));
        if (process.isAlive() && inTime) {
            return;
        }
        String said = logTail();
        // The words after that are the C library's: "Address already in use", and "Address in use" of musl.
        if (said.contains("listening socket") && said.contains(" in use")) {
            throw new PortTakenException("Port " + port + " was taken by another program:\n" + said);
        }
        String what = inTime
                ? "ended with " + process.exitValue() + " at its start"
                : "did not answer on port " + port + " within " + START_WITHIN.toSeconds() + " s";
        throw new IllegalStateException("redis-server " + what + ":\n" + said);
    }

    private boolean answers(int port) {
        try {
            String reply = RedisPing.ask("127.0.0.1", port);
            return RedisPing.saysReady(reply) && RedisPing.mayBeFrom(process.pid(), reply);
        } catch (IOException notYet) {
            return false;
        }
    }

    private String logTail() {
        try {
            List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1).lines().toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
        } catch (IOException e) {
            return "(its log cannot be read: " + e + ")";
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** SIGTERM, then SIGKILL to a server that takes longer than two seconds (it may wait for its replicas). */
    void stop() {
        process.destroy();
        if (!ends()) {
            kill();
        }
    }

    /** SIGKILL; paused processes die of it too. */
    void kill() {
        process.destroyForcibly();
        ends();
    }

    private boolean ends() {
        try {
            boolean ended = process.waitFor(END_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
            if (ended) {
                watch.dismiss();
                watch.awaitEnd();
            }
            return ended;
        } catch (InterruptedException e) {
            // Whoever interrupts does not want to wait, but still wants the process gone.
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
