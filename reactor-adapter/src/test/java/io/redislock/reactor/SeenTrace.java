package io.redislock.reactor;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import reactor.core.publisher.Mono;

/** What of a trace in the Reactor context, or in a thread, was seen where; "none" where there was none. */
final class SeenTrace {

    static final String KEY = "trace";
    static final ThreadLocal<String> IN_THREAD = new ThreadLocal<>();

    private static final String NONE = "none";

    private final Map<String, List<String>> byPlace = new ConcurrentHashMap<>();

    static String inThread() {
        String trace = IN_THREAD.get();
        return trace == null ? NONE : trace;
    }

    /** Notes what the context, and the thread, says when subscribed to. */
    Mono<Void> at(String place) {
        return Mono.deferContextual(context -> {
            note(place, context.getOrDefault(KEY, NONE));
            note(place + " in thread", inThread());
            return Mono.empty();
        });
    }

    /** Notes what the thread says when called, and when subscribed to. */
    Mono<Void> inThreadAt(String place) {
        String whenCalled = inThread();
        return Mono.fromRunnable(() -> note(place + " in thread",
                whenCalled.equals(inThread()) ? whenCalled : whenCalled + ", then " + inThread()));
    }

    private void note(String place, String trace) {
        byPlace.computeIfAbsent(place, first -> new CopyOnWriteArrayList<>()).add(trace);
    }

    List<String> of(String place) {
        return byPlace.getOrDefault(place, List.of());
    }

    void clear() {
        byPlace.clear();
    }
}
