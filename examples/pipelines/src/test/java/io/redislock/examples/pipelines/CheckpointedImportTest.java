package io.redislock.examples.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;

import io.redislock.LockLoss;
import io.redislock.LockLostException;
import io.redislock.LockNotAcquiredException;
import io.redislock.LockOptions;
import io.redislock.reactor.ReactiveRedisLocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class CheckpointedImportTest {

    @RegisterExtension
    static final OnRedis on = new OnRedis();

    /** What was written, or begun to be, in any process. */
    private final List<String> writes = new CopyOnWriteArrayList<>();
    private final List<Integer> done = new CopyOnWriteArrayList<>();

    @Test
    void stopsAtOnceWhenItsKeyIsDeletedAndTheNextOneGoesOn() {
        stopsAtOnce(on.delete("lock:import"), LockLoss.DELETED);

        goesOnInB();
    }

    @Test
    void stopsAtOnceWhenItsKeyIsTakenOverAndLeavesItAlone() {
        stopsAtOnce(Mono.defer(() -> on.processes().redis().set("lock:import", "theirs")), LockLoss.TAKEN_OVER);

        assertThat(on.get("lock:import")).isEqualTo("theirs");
        on.delete("lock:import").block(OnRedis.SOON);
        goesOnInB();
    }

    /** Well before the next renewal, which would find it out too. */
    private void stopsAtOnce(Mono<?> accident, LockLoss expected) {
        LockOptions renewedLater = CheckpointedImport.RENEWED.expiry(Duration.ofMinutes(5));
        CheckpointedImport inA = importIn("A", on.a(), renewedLater, batch -> batch == 3
                ? accident.then(Mono.<Void>never()).doOnCancel(() -> writes.add("cancelled"))
                : Mono.empty());

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> inA.run().doOnNext(done::add).blockLast(OnRedis.SOON))
                .satisfies(lost -> assertThat(lost.reason()).isEqualTo(expected));

        assertThat(writes).containsExactly("A1", "A2", "A3", "cancelled");
        assertThat(done).containsExactly(1, 2);
        assertThat(on.get("import:checkpoint")).isEqualTo("2");
    }

    private void goesOnInB() {
        CheckpointedImport inB = importIn("B", on.b(), CheckpointedImport.RENEWED, batch -> Mono.empty());

        assertThat(inB.run().collectList().block(OnRedis.SOON)).containsExactly(3, 4, 5);
        assertThat(writes).containsExactly("A1", "A2", "A3", "cancelled", "B3", "B4", "B5");
    }

    @Test
    void aBatchMayTakeLongerThanTheLease() {
        LockOptions shortLease = CheckpointedImport.RENEWED.expiry(Duration.ofMillis(1200));
        CheckpointedImport slow = importIn("A", on.a(), shortLease, batch -> batch == 2
                ? Mono.delay(Duration.ofMillis(1300)).then(on.processes().events().whenRenewed(3))
                : Mono.empty());

        assertThat(slow.run().collectList().block(OnRedis.SOON)).containsExactly(1, 2, 3, 4, 5);
        assertThat(on.get("lock:import")).as("released").isNull();
    }

    @Test
    void nobodyImportsBesideIt() {
        Sinks.Empty<Void> begun = Sinks.empty();
        Sinks.Empty<Void> end = Sinks.empty();
        CheckpointedImport inA = importIn("A", on.a(), CheckpointedImport.RENEWED, batch -> {
            begun.tryEmitEmpty();
            return end.asMono();
        });
        CheckpointedImport inB = importIn("B", on.b(), CheckpointedImport.RENEWED.waitAtMost(Duration.ZERO),
                batch -> Mono.empty());

        Mono<Throwable> refused = begun.asMono().then(inB.run().then(Mono.<Throwable>empty())
                .onErrorResume(LockNotAcquiredException.class, Mono::just)
                .doOnTerminate(end::tryEmitEmpty));

        assertThat(Mono.zip(inA.run().count(), refused).block(OnRedis.SOON).getT1()).isEqualTo(5);
        assertThat(writes).containsExactly("A1", "A2", "A3", "A4", "A5");
    }

    @Test
    void anImportThatIsCompleteHasNothingLeftToDo() {
        CheckpointedImport inA = importIn("A", on.a(), CheckpointedImport.RENEWED, batch -> Mono.empty());
        assertThat(inA.run().count().block(OnRedis.SOON)).isEqualTo(5);
        writes.clear();

        assertThat(inA.run().count().block(OnRedis.SOON)).isZero();
        assertThat(writes).isEmpty();
    }

    private CheckpointedImport importIn(String process, ReactiveRedisLocks locks, LockOptions options,
            IntFunction<Mono<Void>> write) {
        return new CheckpointedImport(locks, options, on.processes().redis(), 5, batch -> {
            writes.add(process + batch);
            return write.apply(batch);
        });
    }
}
