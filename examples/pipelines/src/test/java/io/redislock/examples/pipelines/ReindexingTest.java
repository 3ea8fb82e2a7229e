package io.redislock.examples.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import io.redislock.LockLoss;
import io.redislock.LockLostException;
import io.redislock.reactor.RedisLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class ReindexingTest {

    @RegisterExtension
    static final OnRedis on = new OnRedis();

    private final Flux<String> documents = Flux.just("first", "second", "third");
    private final Queue<String> begun = new ConcurrentLinkedQueue<>();

    @Test
    void allIsIndexedUnderTheLockAndTheLockIsReleased() {
        // A lock that is not held has no value to ask for, and the document would be missing.
        Flux<String> indexed = reindexing(document -> on.b().query("reindex").map(holder -> document)).watched();

        assertThat(indexed.collectList().block(OnRedis.SOON)).containsExactly("first", "second", "third");
        assertThat(on.get("lock:reindex")).isNull();
    }

    @Test
    void byItselfUsingWhenGoesOnWhenTheLockIsLost() {
        Flux<String> indexed = reindexing(document -> document.equals("second")
                ? on.delete("lock:reindex").then(on.processes().events().whenLost(1)).thenReturn(document)
                : Mono.just(document)).unwatched();

        assertThat(indexed.collectList().block(OnRedis.SOON)).containsExactly("first", "second", "third");
    }

    @Test
    void watchedWorkIsCancelledWhenTheLockIsLostAndFails() {
        AtomicBoolean cancelled = new AtomicBoolean();
        Queue<String> indexed = new ConcurrentLinkedQueue<>();
        Flux<String> work = reindexing(document -> document.equals("second")
                ? on.delete("lock:reindex").then(Mono.<String>never()).doOnCancel(() -> cancelled.set(true))
                : Mono.just(document)).watched();

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> work.doOnNext(indexed::add).blockLast(OnRedis.SOON))
                .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LockLoss.DELETED));
        assertThat(cancelled).isTrue();
        assertThat(indexed).containsExactly("first");
        assertThat(begun).containsExactly("first", "second");
    }

    @Test
    void anErrorInPlaceOfTheLossWouldFailAndLetTheWorkRunOn() {
        Sinks.One<String> second = Sinks.one();
        Function<RedisLock, Flux<String>> work = lock -> documents.concatMap(document -> {
            begun.add(document);
            return document.equals("second")
                    ? on.delete("lock:trap").then(second.asMono())
                    : Mono.just(document);
        });
        Flux<String> trapped = Flux.usingWhen(
                on.a().acquire("trap"),
                lock -> work.apply(lock).takeUntilOther(lock.lost()
                        .flatMap(reason -> Mono.error(new LockLostException("trap", reason)))),
                RedisLock::release);

        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> trapped.blockLast(OnRedis.SOON));
        assertThat(begun).containsExactly("first", "second");
        second.tryEmitValue("second");
        assertThat(begun).as("goes on without a lock").containsExactly("first", "second", "third");
    }

    @Test
    void aBusyLockLooksLikeAnIndexOfNoDocuments() {
        on.b().take("reindex", "somebody else", Duration.ofMinutes(1)).block(OnRedis.SOON);

        List<String> indexed = reindexing(Mono::just).watched().collectList().block(OnRedis.SOON);

        assertThat(indexed).isEmpty();
        assertThat(begun).isEmpty();
    }

    private Reindexing reindexing(Function<String, Mono<String>> index) {
        return new Reindexing(on.a(), documents, document -> {
            begun.add(document);
            return index.apply(document);
        });
    }
}
