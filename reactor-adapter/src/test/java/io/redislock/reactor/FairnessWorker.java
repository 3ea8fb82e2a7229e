package io.redislock.reactor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import io.lettuce.core.RedisClient;
import io.redislock.LockOptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The main class of a process that contends for one key: some callers of it ask for the lock again and again. What it
 * reads and prints is what {@link FairnessProcess} writes and reads.
 */
final class FairnessWorker {

    private static final LockOptions PATIENT = LockOptions.defaults().waitAtMost(Duration.ofMinutes(1));
    private static final Duration WARM_UP = Duration.ofSeconds(1);

    private final ReactiveRedisLocks locks;
    private final String key;
    private final int callers;
    private final Duration work;
    private final List<List<Grant>> grants = new ArrayList<>();
    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();

    private FairnessWorker(ReactiveRedisLocks locks, String key, int callers, Duration work) {
        this.locks = locks;
        this.key = key;
        this.callers = callers;
        this.work = work;
    }

    /** Takes the URI of the server, the key, the number of callers, and the milliseconds that their work takes. */
    public static void main(String... args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        RedisClient client = RedisClient.create(args[0]);
        ReactiveRedisLocks locks = ReactiveRedisLocks.create(client);
        int callers = Integer.parseInt(args[2]);

        new FairnessWorker(locks, args[1] + ":" + ProcessHandle.current().pid(), callers, Duration.ZERO).run(WARM_UP);
        System.out.println("READY " + System.nanoTime());
        String go = input.readLine();
        if (go != null) { // else whoever started it has gone
            FairnessWorker worker =
                    new FairnessWorker(locks, args[1], callers, Duration.ofMillis(Long.parseLong(args[3])));
            worker.run(Duration.ofMillis(Long.parseLong(go.substring("GO ".length()))));
            worker.print();
        }
        locks.close().block(Await.PATIENCE);
        client.shutdown();
    }

    /** All callers ask until the time is over. Who waits then is still served. */
    private void run(Duration time) {
        long start = System.nanoTime();
        IntStream.range(0, callers).forEach(caller -> grants.add(new ArrayList<>()));
        Flux.range(0, callers)
                .flatMap(caller -> call(caller)
                        .repeat(() -> System.nanoTime() - start < time.toNanos())
                        .onErrorResume(failure -> {
                            errors.add(failure);
                            return Mono.empty();
                        }), callers)
                .blockLast();
    }

    private Mono<Void> call(int caller) {
        return Mono.defer(() -> {
            long asked = System.nanoTime();
            return locks.withLock(key, PATIENT, lock -> {
                long began = System.nanoTime();
                return (work.isZero() ? Mono.<Void>empty() : Mono.delay(work).then())
                        .doOnTerminate(() -> grants.get(caller).add(new Grant(asked, began, System.nanoTime())));
            });
        });
    }

    private void print() {
        StringBuilder lines = new StringBuilder();
        errors.forEach(error -> lines.append("ERROR ").append(error).append('\n'));
        for (int caller = 0; caller < callers; caller++) {
            for (Grant grant : grants.get(caller)) {
                lines.append("GRANT ").append(caller).append(' ').append(grant.asked()).append(' ')
                        .append(grant.began()).append(' ').append(grant.ended()).append('\n');
            }
        }
        System.out.print(lines.append("END\n"));
        System.out.flush();
    }

    /**
     * One grant, in nanoseconds of {@link System#nanoTime}. The work is within the time in which the lock is held: it
     * begins after the reply to the acquisition, and ends before the release is sent.
     */
    record Grant(long asked, long began, long ended) {

        Duration waited() {
            return Duration.ofNanos(began - asked);
        }
    }
}
