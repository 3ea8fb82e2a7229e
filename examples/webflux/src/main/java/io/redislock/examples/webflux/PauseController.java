package io.redislock.examples.webflux;

import java.io.IOException;
import java.time.Duration;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Lets the page pause this process, as a long garbage collection or a suspended machine would. The process stops
 * between two instructions and knows nothing of it, so a shell has to wake it. For the demonstration: not there unless
 * {@code orders.pause} is set.
 */
@RestController
@ConditionalOnProperty("orders.pause")
class PauseController {

    /** For how long the process stands still. */
    record Pause(String replica, long forMillis) {
    }

    /**
     * $1 is the process, $2 the seconds. The first sleep lets the answer out. Whoever ends the shell early, as Ctrl-C
     * does, wakes the process too.
     */
    private static final String SCRIPT = """
            sleep 0.3
            trap 'kill -CONT "$1"; kill "$!"; exit' HUP INT TERM
            kill -STOP "$1"
            sleep "$2" &
            wait
            kill -CONT "$1"
            """;

    private final Board board;
    private final String replica;
    private final Duration pause;

    PauseController(Board board, OrdersProperties properties) {
        this.board = board;
        this.replica = properties.replica();
        this.pause = properties.pause();
    }

    @PostMapping("/pause")
    @ResponseStatus(HttpStatus.ACCEPTED)
    Mono<Pause> pause() {
        return Mono.fromCallable(this::startShell)
                .subscribeOn(Schedulers.boundedElastic()) // starting a process blocks
                .doOnNext(shell -> board.tell("paused", "", "Is paused for " + pause.toSeconds() + " s"))
                .thenReturn(new Pause(replica, pause.toMillis()));
    }

    private Process startShell() throws IOException {
        return new ProcessBuilder("sh", "-c", SCRIPT, "pause", Long.toString(ProcessHandle.current().pid()),
                        Double.toString(pause.toMillis() / 1000.0))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
