package io.redislock.testsupport;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another JVM with the classpath of this one, for what only happens between JVMs or at the end of one. */
final class ChildJvm implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;

    private ChildJvm(Process process) {
        this.process = process;
        this.output = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts a main class with a temporary folder of its own. */
    static ChildJvm start(Path tmpdir, Class<?> main) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx64m");
        command.add("-Djava.io.tmpdir=" + tmpdir);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        return new ChildJvm(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** The next line it prints, or "(ended)". */
    String line() throws IOException {
        String line = output.readLine();
        return line == null ? "(ended)" : line;
    }

    /** SIGTERM; the JVM treats it as it does the SIGINT of a Ctrl-C. */
    void terminate() {
        process.destroy();
    }

    /** SIGKILL: no shutdown hook runs. */
    void kill() {
        process.destroyForcibly();
    }

    int exitValue() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
