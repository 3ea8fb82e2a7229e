package io.redislock.testsupport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;

/** Stops and continues a process, which Java itself cannot do. */
public final class ProcessSignal {

    private static final Duration STOPS_WITHIN = Duration.ofSeconds(5);

    private ProcessSignal() {}

    /** Freezes a process and returns when the kernel has stopped it: until then it may still answer. */
    public static void stop(long pid) {
        send("STOP", pid);
        // Only Linux has this file. Elsewhere the moment between signal and stop stays.
        Path stat = Path.of("/proc", Long.toString(pid), "stat");
        if (Files.exists(stat) && !Poll.until(STOPS_WITHIN, () -> isStopped(stat))) {
            throw new IllegalStateException("The process " + pid + " got SIGSTOP but did not stop");
        }
    }

    /** Lets a frozen process go on. */
    public static void proceed(long pid) {
        send("CONT", pid);
    }

    // The shell's own kill: small images have a shell, but often no program named kill.
    private static void send(String signal, long pid) {
        String command = "kill -" + signal + " " + pid;
        try {
            Process shell = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
            String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (shell.waitFor() != 0) {
                throw new IllegalStateException(command + ": " + said);
            }
        } catch (IOException e) {
            throw new IllegalStateException("Could not run " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted in " + command, e);
        }
    }

    // "pid (name) state ...", where the name may hold anything. A process that has ended will answer nothing either.
    private static boolean isStopped(Path stat) {
        try {
            String line = Files.readString(stat, StandardCharsets.ISO_8859_1);
            return line.startsWith("T", line.lastIndexOf(')') + 2);
        } catch (NoSuchFileException ended) {
            return true;
        } catch (IOException e) {
            throw new IllegalStateException("Could not read " + stat, e);
        }
    }
}
