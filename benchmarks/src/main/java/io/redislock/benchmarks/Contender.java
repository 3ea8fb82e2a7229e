package io.redislock.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

import io.lettuce.core.RedisURI;
import reactor.core.publisher.Mono;

/**
 * Another process that wants locks. It does what the lines on its standard input say, answers each with a line, and
 * ends with its input, so that none outlives the program. {@link ContenderProcess} is the other end.
 */
final class Contender {

    private final RedisURI redis;
    private final PrintStream answers;
    private final Map<LockLibrary, LockClient> clients = new EnumMap<>(LockLibrary.class);

    private Contender(RedisURI redis, PrintStream answers) {
        this.redis = redis;
        this.answers = answers;
    }

    /** The first line of the input is the URI of the server. */
    public static void main(String[] arguments) {
        PrintStream answers = System.out;
        // What a library prints must not look like an answer.
        System.setOut(System.err);
        try {
            BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            new Contender(RedisURI.create(orders.readLine()), answers).obey(orders);
        } catch (IOException | RuntimeException failure) {
            failure.printStackTrace();
        } finally {
            // Not closing the clients first: a lock that is held is nobody's any more, as its keys are not used again.
            Runtime.getRuntime().halt(0);
        }
    }

    private void obey(BufferedReader orders) throws IOException {
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            try {
                obey(order.split(" "));
            } catch (RuntimeException failure) {
                failure.printStackTrace();
                answer("failed " + String.valueOf(failure).replace('\n', ' '));
            }
        }
    }

    private void obey(String[] words) {
        LockLibrary library = LockLibrary.valueOf(words[1]);
        LockClient client = clients.computeIfAbsent(library, absent -> absent.open(redis));
        switch (words[0]) {
            case "open" -> answer("opened");
            case "contend" -> contend(client, words[2], Integer.parseInt(words[3]), Double.parseDouble(words[4]),
                    Long.parseLong(words[5]));
            case "wait" -> waitFor(client, words[2]);
            case "hold" -> answer("bytes " + LockFootprint.held(client, library, Integer.parseInt(words[2])));
            case "queue" -> answer("bytes " + LockFootprint.waiting(
                    client, library, Integer.parseInt(words[2]), Integer.parseInt(words[3])));
            default -> throw new IllegalArgumentException("unknown order " + words[0]);
        }
    }

    private void contend(LockClient client, String key, int waiters, double seconds, long startNanos) {
        // The monotonic clock is the machine's, so that all processes can begin together.
        Load.sleep((startNanos - System.nanoTime()) / 1e9);
        GrantLoad load = GrantLoad.on(client, key, waiters, seconds);
        answer("granted " + load.perSecond() + " " + load.worstWaitMillis());
    }

    private void waitFor(LockClient client, String key) {
        var granted = client.acquire(key)
                .map(grant -> {
                    answer("held " + System.nanoTime());
                    return grant;
                })
                .flatMap(grant -> grant.release().then())
                .toFuture();
        answer("waiting");
        Mono.fromFuture(granted).block(Duration.ofSeconds(60));
        answer("released");
    }

    private synchronized void answer(String line) {
        answers.println(line);
        answers.flush();
    }
}
