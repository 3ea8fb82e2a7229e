package io.redislock.reactor;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.redislock.LockListener;
import io.redislock.LockOptions;
import io.redislock.reactor.store.InMemoryLockStore.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** What an operator reads: a line for each thing that went wrong, with the key, and nothing while all is well. */
class LoggingTest {

    private static final LockOptions TEN_SECONDS = LockOptions.defaults().expiry(Duration.ofSeconds(10))
            .commandTimeout(Duration.ofSeconds(1));

    private final PrintStream console = System.err;
    private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
    private final VirtualLocks virtual = new VirtualLocks(new LockListener() {
        @Override
        public void acquired(String name, String key, Duration waited, long attempts) {
            if (key.equals("throw")) {
                throw new IllegalStateException("from the listener");
            }
        }
    });

    @BeforeEach
    void capture() {
        System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void giveBack() {
        System.setErr(console);
        virtual.close();
    }

    @Test
    void happyPathIsSilent() {
        virtual.locks.withLock("fine", TEN_SECONDS.autoRenew(Duration.ofHours(1)),
                lock -> Mono.delay(Duration.ofMinutes(1))).subscribe();
        virtual.locks.acquire("fine", TEN_SECONDS).subscribe();
        virtual.pass(Duration.ofMinutes(10));

        assertThat(lines()).isEmpty();
    }

    @Test
    void lostLeaseIsOneLineWithKeyAndReason() {
        virtual.locks.acquire("gone", TEN_SECONDS).subscribe();

        virtual.pass(Duration.ofMinutes(1));

        assertThat(lines()).singleElement().asString().contains("WARN", "\"gone\"", "lost", "EXPIRED");
    }

    @Test
    void suspicionIsOneLineForAnEpisode() {
        virtual.locks.acquire("shaky", TEN_SECONDS).subscribe(lock -> {
            virtual.store.faults(Fault.REFUSED, Fault.REFUSED, Fault.REFUSED);
            for (int i = 0; i < 3; i++) {
                lock.extend(Duration.ofSeconds(10)).onErrorComplete().subscribe();
            }
            lock.release().subscribe();
        });

        assertThat(lines()).singleElement().asString().contains("WARN", "\"shaky\"", "suspect");
    }

    @Test
    void failedReleaseIsOneLine() {
        virtual.locks.acquire("stuck", TEN_SECONDS).subscribe(lock -> {
            virtual.store.faults(Fault.REPLY_LOST, Fault.REFUSED, Fault.REFUSED);
            lock.release().subscribe();
        });
        virtual.pass(Duration.ofMinutes(1));

        assertThat(lines()).singleElement().asString().contains("WARN", "\"stuck\"", "release");
    }

    @Test
    void lossThatTheReleaseFindsIsOneLine() {
        virtual.locks.withLock("stolen", TEN_SECONDS, lock -> Mono.fromRunnable(() ->
                virtual.store.put("stolen", "foreign", Duration.ofHours(1)))).onErrorComplete().subscribe();

        assertThat(lines()).singleElement().asString().contains("WARN", "\"stolen\"", "lost", "TAKEN_OVER");
    }

    @Test
    void listenerThatThrowsIsLoggedAndChangesNothing() {
        List<Object> signals = new ArrayList<>();
        virtual.locks.withLock("throw", TEN_SECONDS, lock -> Mono.just("result")).subscribe(signals::add, signals::add);

        assertThat(signals).containsExactly("result");
        assertThat(virtual.store.value("throw")).isEmpty();
        assertThat(lines().get(0)).contains("WARN", "listener threw");
        assertThat(logged.toString(StandardCharsets.UTF_8)).contains("from the listener");
    }

    @Test
    void keyCannotForgeALine() {
        virtual.locks.acquire("a\nWARN all is lost", TEN_SECONDS).subscribe();

        virtual.pass(Duration.ofMinutes(1));

        assertThat(lines()).hasSize(1);
    }

    private List<String> lines() {
        return logged.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
