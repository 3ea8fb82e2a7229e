package io.redislock.examples.webflux;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** One replica: a JVM that runs {@link Application}, with the Java and the classes of this one. */
final class ReplicaProcess {

    private static final int QUESTIONS = 1_800;
    private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(100);
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(3);

    private final String name;
    private final int port;
    private final Process process;

    private ReplicaProcess(String name, int port, Process process) {
        this.name = name;
        this.port = port;
        this.process = process;
    }

    /** What runs in the process. */
    public static void main(String[] args) {
        ParentProcess.endWithIt();
        Application.main(args);
    }

    /** Starts a replica, and does not wait for it to be {@link #ready()}. */
    static ReplicaProcess start(String name, int port, List<Integer> ports, String redisUri, String... settings) {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                // Small, and quick to start rather than fast later.
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m",
                // Netty loads a native library, of which newer Javas warn.
                "--enable-native-access=ALL-UNNAMED",
                "-cp", System.getProperty("java.class.path"), ReplicaProcess.class.getName(),
                "--server.port=" + port,
                "--spring.data.redis.url=" + redisUri,
                "--orders.replica=" + name,
                "--orders.ports=" + ports.stream().map(String::valueOf).collect(Collectors.joining(","))));
        command.addAll(List.of(settings));
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            passOn(process);
            return new ReplicaProcess(name, port, process);
        } catch (IOException failure) {
            throw new UncheckedIOException("Could not start replica " + name, failure);
        }
    }

    /** What it prints is printed here. It does not inherit the output, which may be more than a terminal. */
    private static void passOn(Process process) {
        Thread thread = new Thread(() -> {
            try (BufferedReader lines = process.inputReader()) {
                lines.lines().forEach(System.out::println);
            } catch (IOException | UncheckedIOException closed) {
                // It was asked to end, and nobody listens any more.
            }
        }, "output-of-" + process.pid());
        thread.setDaemon(true);
        thread.start();
    }

    String describe() {
        return "replica " + name + " on http://localhost:" + port + "/ (pid " + process.pid() + ")";
    }

    /** Completes when it answers; fails when it does not within three minutes, or ends before. */
    Mono<Void> ready() {
        Mono<Void> answers = WebClient.create("http://127.0.0.1:" + port).get().uri("/replicas").retrieve()
                .toBodilessEntity()
                .retryWhen(Retry.fixedDelay(QUESTIONS, BETWEEN_QUESTIONS))
                .then();
        Mono<Void> ends = ended().then(Mono.error(() ->
                new IllegalStateException("It has ended. Is the port taken, or was it ended?")));
        return Mono.firstWithSignal(answers, ends)
                .onErrorMap(failure -> new IllegalStateException(
                        "There is no " + describe() + ": " + failure.getMessage(), failure));
    }

    /** Completes when the process has ended. */
    Mono<Void> ended() {
        return Mono.fromFuture(process.onExit(), true).then();
    }

    /** Asks the process to end. Should it be paused, the shell that has paused it wakes it then. */
    void askToEnd() {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
    }

    /** Blocks until the process has ended, which it does at once when it did not listen. */
    void end() {
        try {
            if (!process.waitFor(ENDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
