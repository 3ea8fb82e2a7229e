package io.redislock.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Whatever is switched while bytes are under way, each direction keeps its order and loses nothing. */
class FaultProxyOrderTest {

    private static final int COMMANDS = 2000;
    /** A thread for each: on two cores the common pool has one, and from Java 25 on nothing more is made of it. */
    private static final Executor THREADS = task -> new Thread(task, "fault-proxy-order").start();

    @Test
    void orderIsKeptWhileSwitchesAreThrown() throws Exception {
        try (EmbeddedRedis server = EmbeddedRedis.start();
                FaultProxy proxy = FaultProxy.to(server);
                RespSocket redis = new RespSocket(proxy.host(), proxy.port())) {
            AtomicBoolean done = new AtomicBoolean();
            List<CompletableFuture<Void>> switching = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                switching.add(CompletableFuture.runAsync(() -> throwSwitches(proxy, done), THREADS));
            }
            try {
                CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> send(redis), THREADS);
                for (int i = 1; i <= COMMANDS; i++) {
                    assertThat(redis.reply()).isEqualTo(String.valueOf(i));
                }
                sending.join();
            } finally {
                done.set(true);
            }
            switching.forEach(CompletableFuture::join);
            proxy.reset();
            for (int i = 0; i < COMMANDS; i++) {
                assertThat(redis.call("LINDEX", "list", String.valueOf(i))).isEqualTo(String.valueOf(i));
            }
        }
    }

    private static void send(RespSocket redis) {
        try {
            for (int i = 0; i < COMMANDS; i++) {
                redis.send("RPUSH", "list", String.valueOf(i));
                if (i % 20 == 0) {
                    Thread.sleep(1);   // so that the commands meet many states of the switches
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void throwSwitches(FaultProxy proxy, AtomicBoolean done) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (!done.get()) {
            switch (random.nextInt(5)) {
                case 0 -> proxy.blackhole(true);
                case 1 -> proxy.blackhole(false);
                case 2 -> proxy.delayRequests(Duration.ofMillis(random.nextInt(3)));
                case 3 -> proxy.delayReplies(Duration.ofMillis(random.nextInt(3)));
                default -> proxy.reset();
            }
        }
    }
}
