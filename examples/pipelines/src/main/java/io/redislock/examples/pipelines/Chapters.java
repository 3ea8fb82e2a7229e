package io.redislock.examples.pipelines;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntFunction;

import io.redislock.LockLostException;
import io.redislock.LockNotAcquiredException;
import io.redislock.examples.pipelines.KeyedEvents.Event;
import io.redislock.examples.pipelines.OncePerTick.Outcome;
import io.redislock.reactor.ReactiveRedisLocks;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * What happens to the five pipelines in the story. What has to meet, meets: each step waits for what it needs, not for
 * a time.
 */
final class Chapters {

    private final ReactiveRedisLocks a;
    private final ReactiveRedisLocks b;
    private final TwoProcesses processes;
    private final Story story;

    Chapters(TwoProcesses processes, Story story) {
        this.a = processes.a();
        this.b = processes.b();
        this.processes = processes;
        this.story = story;
    }

    Mono<Void> all() {
        return Flux.concat(events(), byHand(), schedule(), cache(), longImport()).then();
    }

    // ---- 1 --------------------------------------------------------------------------------------------------------

    private Mono<Void> events() {
        Map<String, Sinks.Empty<Void>> begun = Map.of("anna", Sinks.empty(), "ben", Sinks.empty());
        Map<String, AtomicInteger> now = Map.of("anna", new AtomicInteger(), "ben", new AtomicInteger());
        AtomicInteger mostOfOneAccount = new AtomicInteger();
        Function<String, Function<Event, Mono<Void>>> handlerOf = process -> event -> {
            story.tell(process + "  " + event.account() + " " + event.number() + " begins");
            mostOfOneAccount.accumulateAndGet(now.get(event.account()).incrementAndGet(), Math::max);
            begun.get(event.account()).tryEmitEmpty();
            // The first of either account ends after the first of the other has begun: this is "side by side".
            return Mono.when(begun.get("anna").asMono(), begun.get("ben").asMono())
                    .then(Mono.delay(Duration.ofMillis(20)))
                    .doOnNext(end -> {
                        now.get(event.account()).decrementAndGet();
                        story.tell(process + "  " + event.account() + " " + event.number() + " ends");
                    })
                    .then();
        };
        KeyedEvents inA = new KeyedEvents(a, KeyedEvents.PATIENT, handlerOf.apply("A"));
        KeyedEvents inB = new KeyedEvents(b, KeyedEvents.PATIENT, handlerOf.apply("B"));
        return story.chapter("A stream of events: one at a time for each account, accounts side by side",
                Flux.merge(
                                inA.process(Flux.just(new Event("anna", 1), new Event("anna", 2), new Event("ben", 1))),
                                inB.process(Flux.just(new Event("anna", 3), new Event("ben", 2))))
                        .filter(outcome -> outcome.failure().isEmpty())
                        .count()
                        .doOnNext(done -> story.conclude(done == 5 && mostOfOneAccount.get() == 1,
                                "five events done, never two at once for one account")));
    }

    // ---- 2 --------------------------------------------------------------------------------------------------------

    private Mono<Void> byHand() {
        Flux<String> documents = Flux.just("first", "second", "third");
        Function<String, Mono<String>> losing = document -> document.equals("second")
                ? somebodyDeletes("lock:reindex").then(processes.events().whenLost(1)).thenReturn(document)
                : Mono.just(document);
        Function<String, Mono<String>> losingForEver = document -> document.equals("second")
                ? somebodyDeletes("lock:reindex").then(Mono.<String>never())
                        .doOnCancel(() -> story.tell("second document: cancelled"))
                : Mono.just(document);
        return story.chapter("usingWhen by hand: the lock is lost at the second document",
                Mono.<Void>fromRunnable(() -> story.tell("by itself, usingWhen stops nothing:"))
                        .thenMany(new Reindexing(a, documents, losing).unwatched())
                        .doOnNext(document -> story.tell(document + " document: indexed"))
                        .then(Mono.<Void>fromRunnable(() -> story.tell("with whileHeld around the work:")))
                        .thenMany(new Reindexing(a, documents, losingForEver).watched())
                        .doOnNext(document -> story.tell(document + " document: indexed"))
                        .then()
                        .onErrorResume(LockLostException.class, this::tellLoss));
    }

    // ---- 3 --------------------------------------------------------------------------------------------------------

    private Mono<Void> schedule() {
        Sinks.Empty<Void> aRuns = Sinks.empty();
        Sinks.Empty<Void> bHasSkipped = Sinks.empty();
        OncePerTick inA = new OncePerTick(a, processes.redis(), tick -> {
            aRuns.tryEmitEmpty();
            return bHasSkipped.asMono();
        });
        OncePerTick inB = new OncePerTick(b, processes.redis(), tick -> Mono.empty());
        Mono<Void> bothAtOnce = Mono.when(
                tick(inA, "A", 1),
                aRuns.asMono().then(tick(inB, "B", 1)).doOnTerminate(bHasSkipped::tryEmitEmpty));
        return story.chapter("A job on a schedule: one runs it, the others skip it",
                bothAtOnce
                        .then(tick(inB, "B", 1))
                        .then(tick(inB, "B", 2))
                        .then(tick(inA, "A", 2))
                        .then(byTheClock()));
    }

    private Mono<Outcome> tick(OncePerTick job, String process, long tick) {
        return job.run(tick).doOnNext(outcome -> story.tell(process + "  tick " + tick + ": " + switch (outcome) {
            case RUN -> "has run it";
            case BUSY -> "skips, it is running elsewhere";
            case DONE_BEFORE -> "skips, it is done";
            case FAILED -> "fails";
        }));
    }

    private Mono<Void> byTheClock() {
        Duration period = Duration.ofMillis(100);
        Clock late = Clock.offset(Clock.systemUTC(), Duration.ofMillis(-30));
        ConcurrentLinkedQueue<Long> run = new ConcurrentLinkedQueue<>();
        OncePerTick inA = new OncePerTick(a, processes.redis(), tick -> Mono.fromRunnable(() -> run.add(tick)));
        OncePerTick inB = new OncePerTick(b, processes.redis(), tick -> Mono.fromRunnable(() -> run.add(tick)));
        return Mono.when(inA.every(period, Clock.systemUTC()).take(5), inB.every(period, late).take(5))
                .then(Mono.fromRunnable(() -> story.conclude(!run.isEmpty() && run.size() == List.copyOf(run).stream()
                        .distinct().count(), "every 100 ms, B's clock 30 ms late: no tick is run twice")));
    }

    // ---- 4 --------------------------------------------------------------------------------------------------------

    private Mono<Void> cache() {
        AtomicInteger built = new AtomicInteger();
        Function<String, Mono<String>> builder = id -> processes.events().whenWaiting(5)
                .doOnSubscribe(start -> story.tell("one builds"))
                .doOnSuccess(end -> story.tell("five wait for it"))
                .then(Mono.fromSupplier(() -> "report no. " + built.incrementAndGet()));
        CachedReport inA = new CachedReport(a, CachedReport.PATIENT, processes.redis(), builder);
        CachedReport inB = new CachedReport(b, CachedReport.PATIENT, processes.redis(), builder);
        return story.chapter("A cache: one builds, the others wait and read",
                Flux.merge(inA.get("7"), inB.get("7"), inA.get("7"), inB.get("7"), inA.get("7"), inB.get("7"))
                        .filter("report no. 1"::equals)
                        .count()
                        .doOnNext(same -> story.conclude(same == 6 && built.get() == 1, "all six have report no. 1"))
                        .then(inVain()));
    }

    private Mono<Void> inVain() {
        CachedReport impatient = new CachedReport(b, CachedReport.PATIENT.waitAtMost(Duration.ofMillis(50)),
                processes.redis(), id -> Mono.error(new AssertionError("built")));
        return a.withLock("rebuild:8", lock -> impatient.get("8")
                .onErrorResume(LockNotAcquiredException.class, busy -> Mono.fromRunnable(
                        () -> story.tell("another report, which is not ready in time: busy, come back later"))))
                .then();
    }

    // ---- 5 --------------------------------------------------------------------------------------------------------

    private Mono<Void> longImport() {
        IntFunction<Mono<Void>> losing = batch -> switch (batch) {
            case 1 -> processes.events().whenRenewed(3)
                    .doOnSuccess(end -> story.tell("A  batch 1 took longer than a lease, which was renewed"));
            case 3 -> somebodyDeletes("lock:import").then(Mono.<Void>never())
                    .doOnCancel(() -> story.tell("A  batch 3: cancelled"));
            default -> Mono.empty();
        };
        Duration lease = Duration.ofMillis(1200);
        CheckpointedImport inA = new CheckpointedImport(a, CheckpointedImport.RENEWED.expiry(lease),
                processes.redis(), 5, losing);
        CheckpointedImport inB = new CheckpointedImport(b, CheckpointedImport.RENEWED, processes.redis(), 5,
                batch -> Mono.empty());
        return story.chapter("A long import: stops when the lease is lost, and is continued by another",
                inA.run()
                        .doOnNext(batch -> story.tell("A  batch " + batch + ": done"))
                        .then()
                        .onErrorResume(LockLostException.class, this::tellLoss)
                        .thenMany(inB.run())
                        .doOnNext(batch -> story.tell("B  batch " + batch + ": done"))
                        .then());
    }

    private Mono<Void> tellLoss(LockLostException lost) {
        return Mono.fromRunnable(() -> story.tell("LockLostException: " + lost.reason()));
    }

    private Mono<Long> somebodyDeletes(String key) {
        return Mono.defer(() -> processes.redis().del(key))
                .doOnSubscribe(now -> story.tell("(somebody deletes the key)"));
    }
}
