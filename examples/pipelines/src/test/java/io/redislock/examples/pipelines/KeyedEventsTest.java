package io.redislock.examples.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.redislock.LockLostException;
import io.redislock.LockNotAcquiredException;
import io.redislock.LockOptions;
import io.redislock.examples.pipelines.KeyedEvents.Event;
import io.redislock.examples.pipelines.KeyedEvents.Outcome;
import io.redislock.reactor.ReactiveRedisLocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class KeyedEventsTest {

    @RegisterExtension
    static final OnRedis on = new OnRedis();

    private final Queue<String> log = new ConcurrentLinkedQueue<>();

    @Test
    void eventsOfOneAccountNeverOverlapInTwoProcesses() {
        Map<String, AtomicInteger> now = new ConcurrentHashMap<>();
        Queue<Integer> atOnce = new ConcurrentLinkedQueue<>();
        Function<Event, Mono<Void>> handler = event -> Mono.defer(() -> {
            atOnce.add(now.computeIfAbsent(event.account(), none -> new AtomicInteger()).incrementAndGet());
            return Mono.delay(Duration.ofMillis(ThreadLocalRandom.current().nextInt(3)))
                    .doOnNext(end -> {
                        now.get(event.account()).decrementAndGet();
                        log.add(event.account() + event.number());
                    })
                    .then();
        });

        List<Outcome> outcomes = Flux.merge(
                        events(on.a(), handler).process(numbered(1, 40)),
                        events(on.b(), handler).process(numbered(41, 80)))
                .collectList()
                .block(OnRedis.SOON);

        assertThat(outcomes).hasSize(80).allSatisfy(outcome -> assertThat(outcome.failure()).isEmpty());
        assertThat(log).hasSize(80).doesNotHaveDuplicates();
        assertThat(atOnce).containsOnly(1);
    }

    @Test
    void eventsOfDifferentAccountsRunSideBySide() {
        Map<String, Sinks.Empty<Void>> begun =
                Map.of("0", Sinks.empty(), "1", Sinks.empty(), "2", Sinks.empty());
        // Each ends only when all have begun.
        KeyedEvents events = events(on.a(), event -> {
            begun.get(event.account()).tryEmitEmpty();
            return Flux.fromIterable(begun.values()).flatMap(Sinks.Empty::asMono).then();
        });

        List<Outcome> outcomes = events.process(numbered(0, 2)).collectList().block(OnRedis.SOON);

        assertThat(outcomes).hasSize(3).allSatisfy(outcome -> assertThat(outcome.failure()).isEmpty());
    }

    @Test
    void anEventWaitsForTheOtherProcess() {
        Sinks.Empty<Void> end = Sinks.empty();
        Sinks.Empty<Void> begun = Sinks.empty();
        KeyedEvents inA = events(on.a(), event -> end.asMono()
                .doOnSubscribe(start -> {
                    log.add("A begins");
                    begun.tryEmitEmpty();
                })
                .doOnSuccess(done -> log.add("A ends")));
        KeyedEvents inB = events(on.b(), event -> Mono.fromRunnable(() -> log.add("B begins")));
        Flux<Event> anna = Flux.just(new Event("anna", 1));

        Mono<Void> both = Mono.when(
                inA.process(anna),
                begun.asMono().thenMany(inB.process(anna)),
                on.processes().events().whenWaiting(1).doOnSuccess(waits -> {
                    log.add("B waits");
                    end.tryEmitEmpty();
                }));

        both.block(OnRedis.SOON);
        assertThat(log).containsExactly("A begins", "B waits", "A ends", "B begins");
    }

    @Test
    void oneProcessBeginsTheEventsOfAnAccountInTheirOrder() {
        List<Integer> order = new ArrayList<>(); // never two at once, see above
        KeyedEvents inA = events(on.a(), event -> Mono.fromRunnable(() -> order.add(event.number())));
        Flux<Event> twenty = Flux.range(1, 20).map(number -> new Event("anna", number));

        Flux<Outcome> outcomes = Flux.merge(
                on.b().withLockMany("account:anna", held -> on.processes().events().whenWaiting(20).thenMany(Flux.empty())),
                Mono.defer(() -> on.b().query("account:anna")).repeat().next().thenMany(inA.process(twenty)));

        assertThat(outcomes.collectList().block(OnRedis.SOON)).hasSize(20);
        assertThat(order).containsExactlyElementsOf(IntStream.rangeClosed(1, 20).boxed().toList());
    }

    @Test
    void anEventThatCannotBeDoneDoesNotEndTheStream() {
        on.b().take("account:busy", "somebody else", Duration.ofMinutes(1)).block(OnRedis.SOON);
        LockOptions impatient = KeyedEvents.PATIENT.waitAtMost(Duration.ofMillis(100));
        KeyedEvents events = new KeyedEvents(on.a(), impatient, event -> switch (event.account()) {
            case "bad" -> Mono.error(new IllegalArgumentException("bad"));
            case "lost" -> on.delete("lock:account:lost").then(Mono.never());
            default -> Mono.empty();
        });

        Map<String, Outcome> outcomes = events
                .process(Flux.just("busy", "bad", "lost", "good").map(account -> new Event(account, 1)))
                .collectMap(outcome -> outcome.event().account())
                .block(OnRedis.SOON);

        assertThat(outcomes.get("busy").failure()).containsInstanceOf(LockNotAcquiredException.class);
        assertThat(outcomes.get("bad").failure()).containsInstanceOf(IllegalArgumentException.class);
        assertThat(outcomes.get("lost").failure()).containsInstanceOf(LockLostException.class);
        assertThat(outcomes.get("good").failure()).isEmpty();
    }

    @Test
    void cancellingTheStreamCancelsTheWorkAndReleases() {
        Sinks.Empty<Void> begun = Sinks.empty();
        Sinks.Empty<Void> cancelled = Sinks.empty();
        KeyedEvents events = events(on.a(), event -> Mono.<Void>never()
                .doOnSubscribe(start -> begun.tryEmitEmpty())
                .doOnCancel(cancelled::tryEmitEmpty));
        Disposable stream = events.process(Flux.just(new Event("anna", 1))).subscribe();
        begun.asMono().block(OnRedis.SOON);
        assertThat(on.get("lock:account:anna")).isNotNull();

        stream.dispose();

        cancelled.asMono().block(OnRedis.SOON);
        on.awaitNo("lock:account:anna");
    }

    private static KeyedEvents events(ReactiveRedisLocks locks, Function<Event, Mono<Void>> handler) {
        return new KeyedEvents(locks, KeyedEvents.PATIENT, handler);
    }

    /** Of three accounts. */
    private static Flux<Event> numbered(int first, int last) {
        return Flux.range(first, last - first + 1).map(number -> new Event(String.valueOf(number % 3), number));
    }
}
