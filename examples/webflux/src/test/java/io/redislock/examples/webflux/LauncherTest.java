package io.redislock.examples.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

/** The program that starts everything, as a process, as Maven starts it. */
class LauncherTest {

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void servesThePageTwiceAndLeavesNoProcessBehindAlsoWhenAReplicaIsPaused() throws Exception {
        List<Integer> ports = FreePorts.two();
        Process launcher = new ProcessBuilder(System.getProperty("java.home") + "/bin/java",
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
                Launcher.class.getName(), ports.get(0).toString(), ports.get(1).toString())
                .redirectErrorStream(true)
                .start();
        try {
            awaitLine(launcher, "Ctrl-C");
            List<ProcessHandle> started = launcher.descendants().toList();
            assertThat(started).hasSizeGreaterThanOrEqualTo(3); // a Redis and two replicas
            for (int port : ports) {
                HttpResponse<String> page = http.send(request(port, "/").build(), HttpResponse.BodyHandlers.ofString());
                assertThat(page.body()).contains("One lock, two replicas");
                assertThat(page.headers().firstValue("Content-Security-Policy")).get().asString()
                        .startsWith("default-src 'self';").contains("http://localhost:" + ports.get(1));
            }

            assertThat(pause(ports.get(0), "http://elsewhere.example")).isEqualTo(403);
            String foreign = "elsewhere.example:" + ports.get(0);
            assertThat(pauseByName(ports.get(0), foreign)).contains(" 403 ");
            assertThat(pause(ports.get(0), "http://localhost:" + ports.get(1))).isEqualTo(202);
            Await.until("the replica stands still", () -> !answers(ports.get(0)));
            Await.until("the other one goes on", () -> answers(ports.get(1)));

            launcher.destroy();

            assertThat(launcher.waitFor(30, TimeUnit.SECONDS)).isTrue();
            Await.within(Duration.ofSeconds(5), "nothing is left",
                    () -> started.stream().noneMatch(ProcessHandle::isAlive));
        } finally {
            launcher.descendants().forEach(ProcessHandle::destroyForcibly);
            launcher.destroyForcibly();
        }
    }

    private static void awaitLine(Process process, String part) throws IOException {
        BufferedReader lines = process.inputReader();
        StringBuilder said = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.append(line).append('\n');
            if (line.contains(part)) {
                return;
            }
        }
        throw new AssertionError("It ended early:\n" + said);
    }

    /** The status of the answer to a page of that origin. */
    private int pause(int port, String origin) throws IOException, InterruptedException {
        HttpRequest pause = request(port, "/pause")
                .header("Origin", origin)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return http.send(pause, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    /** The status line for a page whose name was made to lead here: to a browser it is of the same origin. */
    private static String pauseByName(int port, String host) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(("POST /pause HTTP/1.1\r\nHost: " + host + "\r\nOrigin: http://" + host
                    + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }

    private boolean answers(int port) {
        try {
            return http.send(request(port, "/replicas").timeout(Duration.ofSeconds(2)).build(),
                    HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (HttpTimeoutException silent) {
            return false;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static HttpRequest.Builder request(int port, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }
}
