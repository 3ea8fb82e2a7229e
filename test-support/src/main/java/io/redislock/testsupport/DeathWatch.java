package io.redislock.testsupport;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Ends a server when this JVM dies without running its shutdown hooks (SIGKILL, a crash, a forked test JVM that timed
 * out). A small shell waits at the other end of a pipe: the pipe breaks with the JVM, however that ends.
 */
final class DeathWatch {

    // It must outlive a Ctrl-C, which the terminal sends to the whole process group, by the time the JVM's hooks need.
    private static final String SCRIPT = """
            trap '' INT HUP TERM
            read -r dismissed && exit 0
            kill -KILL "$1"
            rm -rf -- "$2" || { sleep 1; rm -rf -- "$2"; }
            """;

    private final Process shell;

    private DeathWatch(Process shell) {
        this.shell = shell;
    }

    /** Watches over a process and the folder to remove once it is gone. */
    static DeathWatch over(Process server, Path folder) throws IOException {
        String pid = Long.toString(server.pid());
        return new DeathWatch(new ProcessBuilder("sh", "-c", SCRIPT, "redislock-death-watch", pid, folder.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** Ends the watch. It must not outlast the server, whose process id the system may give to another program. */
    void dismiss() {
        try (OutputStream pipe = shell.getOutputStream()) {
            pipe.write('\n');
        } catch (IOException alreadyGone) {
            // Then it watches nothing any more.
        }
    }

    /** Waits, with a bound, until the watching shell has gone too. */
    void awaitEnd() throws InterruptedException {
        if (!shell.waitFor(2, TimeUnit.SECONDS)) {
            shell.destroyForcibly();
        }
    }
}
