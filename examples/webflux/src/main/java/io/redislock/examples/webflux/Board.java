package io.redislock.examples.webflux;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import io.redislock.LockListener;
import io.redislock.LockLoss;
import io.redislock.LockState;
import io.redislock.LockUnavailableException;
import io.redislock.reactor.RedisLock;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.Sinks.EmitFailureHandler;

/**
 * What this replica knows of its own locks: those that it holds, how many of its requests wait, and what happened
 * lately. It is told by the library, as a {@link LockListener}, and by {@link #showing}.
 */
@Component
final class Board implements LockListener {

    /**
     * A line of the timeline.
     *
     * @param id unique, so that whoever hears it twice can tell
     * @param at milliseconds since 1970
     */
    record Event(String id, long at, String replica, String kind, String key, String text) {
    }

    /** A lock that this replica holds, as its handle tells at this moment. */
    record Held(String key, String value, LockState state, long remainingMillis, @Nullable Long fencingToken) {
    }

    private static final int REMEMBERED = 40;

    private final String replica;
    private final String run = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    private final AtomicLong eventCount = new AtomicLong();
    private final Sinks.Many<Event> events = Sinks.many().replay().limit(REMEMBERED);
    private final Map<String, RedisLock> held = new ConcurrentHashMap<>();
    private final Map<String, Integer> waiting = new ConcurrentHashMap<>();

    Board(OrdersProperties properties) {
        this.replica = properties.replica();
    }

    /** The latest events and all that follow. */
    Flux<Event> events() {
        return events.asFlux();
    }

    List<Held> held() {
        return held.values().stream()
                .map(lock -> new Held(lock.key(), lock.value(), lock.state(), lock.remaining().toMillis(),
                        boxed(lock.fencingToken())))
                .toList();
    }

    /** How many requests of this replica wait, by key. */
    Map<String, Integer> waiting() {
        return Map.copyOf(waiting);
    }

    /** The work, with the lock on the board while it runs. */
    <T> Mono<T> showing(RedisLock lock, Mono<T> work) {
        return Mono.using(() -> hold(lock), shown -> work, shown -> held.remove(shown.value()))
                .doOnCancel(() -> tell("cancelled", lock.key(), "The work is cancelled"));
    }

    private RedisLock hold(RedisLock lock) {
        held.put(lock.value(), lock);
        OptionalLong token = lock.fencingToken();
        tell("held", lock.key(), "Holds it" + (token.isPresent() ? ", token " + token.getAsLong() : ""));
        return lock;
    }

    /** Adds a line to the timeline. */
    void tell(String kind, String key, String text) {
        String id = replica + '-' + run + '-' + eventCount.incrementAndGet();
        Event event = new Event(id, System.currentTimeMillis(), replica, kind, key, text);
        // Locks end on several threads, and a sink takes one event at a time.
        events.emitNext(event, EmitFailureHandler.busyLooping(Duration.ofSeconds(1)));
    }

    @Override
    public void waiting(String name, String key) {
        waiting.merge(key, 1, Integer::sum);
        tell("waiting", key, "Waits");
    }

    @Override
    public void waitEnded(String name, String key) {
        waiting.computeIfPresent(key, (same, count) -> count == 1 ? null : count - 1);
    }

    @Override
    public void notAcquired(String name, String key, Duration waited, long attempts) {
        tell("busy", key, "Busy: answers 409");
    }

    @Override
    public void unavailable(String name, String key, Duration waited, LockUnavailableException failure) {
        tell("unavailable", key, "Redis cannot be asked: answers 503");
    }

    @Override
    public void abandoned(String name, String key, Duration waited) {
        tell("abandoned", key, "Its client has left: waits no longer");
    }

    @Override
    public void suspect(String name, String key) {
        tell("suspect", key, "A renewal got no answer");
    }

    @Override
    public void lost(String name, String key, LockLoss reason, Duration heldFor) {
        tell("lost", key, "Lost the lock: " + reason);
    }

    @Override
    public void released(String name, String key, Duration heldFor) {
        tell("released", key, "Released after %.1f s".formatted(heldFor.toMillis() / 1000.0));
    }

    @Override
    public void releaseFailed(String name, String key) {
        tell("suspect", key, "The release got no answer");
    }

    private static @Nullable Long boxed(OptionalLong token) {
        return token.isPresent() ? token.getAsLong() : null;
    }
}
