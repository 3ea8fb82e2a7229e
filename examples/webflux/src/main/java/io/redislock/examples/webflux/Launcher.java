package io.redislock.examples.webflux;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.redislock.testsupport.EmbeddedRedis;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Starts everything: a Redis, and two replicas of the service as processes of their own, so that one of them can be
 * paused while the other goes on. It serves nothing itself. When it ends, so do they.
 */
public final class Launcher implements AutoCloseable {

    private static final List<Integer> PORTS = List.of(5111, 5112);

    private final EmbeddedRedis redis;
    private final List<ReplicaProcess> replicas = new ArrayList<>();
    private volatile boolean closing;

    /**
     * Starts the Redis and, one beside the other, a replica on each port.
     *
     * @param ports where the replicas listen; they are named A, B and so on
     * @param settings further ones for each replica, like {@code --orders.expiry=6s}
     */
    Launcher(List<Integer> ports, String... settings) {
        redis = EmbeddedRedis.start();
        for (int port : ports) {
            String name = Character.toString('A' + replicas.size());
            replicas.add(ReplicaProcess.start(name, port, ports, redis.uri(), settings));
        }
    }

    /** Starts the replicas on the ports that are given, else on 5111 and 5112, and stays until Ctrl-C. */
    public static void main(String[] args) {
        ParentProcess.endWithIt();
        List<Integer> ports = args.length == 0 ? PORTS : Stream.of(args).map(Integer::valueOf).toList();
        try {
            ports.forEach(Launcher::requireFree);
            Launcher launcher = new Launcher(ports, "--orders.pause=12s");
            Runtime.getRuntime().addShutdownHook(new Thread(launcher::close, "end-of-replicas"));
            launcher.ready().block();
            launcher.describe();
            launcher.endOfAny().block();
            if (!launcher.closing) {
                System.err.println("A replica has ended, and so does the rest.");
            }
        } catch (IllegalStateException failure) {
            System.err.println(failure.getMessage());
        }
        System.exit(1);
    }

    /** Else it would be seen late, or not at all where replicas of another launcher answer. */
    private static void requireFree(int port) {
        try {
            new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
        } catch (IOException taken) {
            throw new IllegalStateException("Port " + port + " cannot be had: " + taken.getMessage(), taken);
        }
    }

    /** Completes when all replicas answer; fails when one does not. */
    Mono<Void> ready() {
        return Flux.fromIterable(replicas).flatMap(ReplicaProcess::ready).then();
    }

    private Mono<Void> endOfAny() {
        return Mono.firstWithSignal(replicas.stream().map(ReplicaProcess::ended).toList());
    }

    private void describe() {
        System.out.println("Running on " + redis.describe() + ":");
        replicas.forEach(replica -> System.out.println("  " + replica.describe()));
        System.out.println("Open one of the two in a browser. Ctrl-C ends everything.");
    }

    @Override
    public void close() {
        closing = true;
        replicas.forEach(ReplicaProcess::askToEnd);
        replicas.forEach(ReplicaProcess::end);
        redis.close();
    }
}
