package io.redislock.examples.webflux;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What this replica tells the page, as it happens. Each replica speaks for itself, and the page puts the two together:
 * so it goes on when one of them is paused, also the one that it came from.
 */
@RestController
class LiveController {

    /**
     * How things stand.
     *
     * @param held what this replica holds
     * @param waiting how many of its requests wait, by key
     * @param keys the locks of all replicas in Redis; null when Redis does not answer
     */
    record Snapshot(String replica, List<Board.Held> held, Map<String, Integer> waiting,
            @Nullable List<LockKeys.Key> keys) {
    }

    /** Where a replica is to be found, on the host of the page. */
    record Address(String replica, int port) {
    }

    private static final Duration BETWEEN_SNAPSHOTS = Duration.ofMillis(250);

    private final Board board;
    private final LockKeys lockKeys;
    private final OrdersProperties properties;

    LiveController(Board board, LockKeys lockKeys, OrdersProperties properties) {
        this.board = board;
        this.lockKeys = lockKeys;
        this.properties = properties;
    }

    @GetMapping("/replicas")
    List<Address> replicas() {
        List<Integer> ports = properties.ports();
        return IntStream.range(0, ports.size())
                .mapToObj(i -> new Address(Character.toString('A' + i), ports.get(i)))
                .toList();
    }

    /** Events as they happen, and a snapshot four times a second, until the client leaves. */
    @GetMapping(path = "/live", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<ServerSentEvent<Object>> live() {
        // Not Flux.interval: a process that was paused would catch up on all that it has missed.
        Flux<Snapshot> snapshots = snapshot().repeatWhen(ends -> ends.delayElements(BETWEEN_SNAPSHOTS));
        return Flux.merge(named("lock", board.events()), named("snapshot", snapshots));
    }

    private Mono<Snapshot> snapshot() {
        return lockKeys.all()
                .map(keys -> new Snapshot(properties.replica(), board.held(), board.waiting(), keys))
                .onErrorResume(noAnswer -> Mono.fromSupplier(
                        () -> new Snapshot(properties.replica(), board.held(), board.waiting(), null)));
    }

    private static Flux<ServerSentEvent<Object>> named(String name, Flux<?> data) {
        return data.map(each -> ServerSentEvent.<Object>builder(each).event(name).build());
    }
}
