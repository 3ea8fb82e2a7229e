package io.redislock.reactor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

import io.redislock.LockOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Callers who could wait for an hour contend for few keys, from one process and from two, and some give up at any
 * moment. Whoever missed a wake-up would be seen here, because nothing else helps.
 */
class NoLostWakeUpTest {

    private static final int ROUNDS = Rounds.of(20_000);
    private static final int AT_ONCE = 32;
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final LockOptions PATIENT = LockOptions.defaults().expiry(Duration.ofMinutes(30))
            .retry(1, Duration.ofHours(1));

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onTheSharedServer();

    private final List<ReactiveRedisLocks> processes = List.of(FIXTURE.locks(),
            FIXTURE.locks(FIXTURE.client(FIXTURE.server().uri(), FIXTURE.client().getOptions()), builder -> builder));
    private final List<String> keys = List.of(FIXTURE.freshKey(), FIXTURE.freshKey());
    private final List<AtomicInteger> holders = List.of(new AtomicInteger(), new AtomicInteger());
    private final AtomicInteger worked = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();

    @Test
    void everyCallerOfOneProcessIsServed() {
        contend(1, call -> call);

        assertThat(worked).hasValue(ROUNDS);
    }

    @Test
    void everyCallerOfTwoProcessesIsServed() {
        contend(2, call -> call);

        assertThat(worked).hasValue(ROUNDS);
    }

    @Test
    void everyCallerWhoStaysIsServedWhileOthersGiveUp() {
        AtomicInteger stayed = new AtomicInteger();
        contend(2, call -> ThreadLocalRandom.current().nextBoolean()
                ? call.doOnSuccess(done -> stayed.incrementAndGet())
                : call.timeout(Mono.delay(Duration.ofNanos(ThreadLocalRandom.current().nextLong(4_000_000))))
                        .onErrorResume(timeout -> Mono.empty()));

        assertThat(stayed).hasPositiveValue();
        assertThat(worked).hasValueBetween(stayed.get(), ROUNDS);
        keys.forEach(key -> assertThat(processes.get(0).withLock(key, PATIENT, lock -> Mono.just("free"))
                .block(Await.PATIENCE)).isEqualTo("free"));
    }

    private interface Caller {

        Mono<?> does(Mono<?> call);
    }

    private void contend(int ofProcesses, Caller caller) {
        Flux.range(0, ROUNDS)
                .flatMap(round -> caller.does(call(round % ofProcesses, round % keys.size()))
                        .subscribeOn(Schedulers.parallel()), AT_ONCE)
                .then()
                .block(LIMIT);

        assertThat(overlaps).as("two holders at once").hasValue(0);
    }

    private Mono<?> call(int process, int key) {
        return processes.get(process).withLock(keys.get(key), PATIENT, lock -> Mono.defer(() -> {
            if (holders.get(key).incrementAndGet() != 1) {
                overlaps.incrementAndGet();
            }
            worked.incrementAndGet();
            return Mono.just("worked");
        }).doFinally(end -> holders.get(key).decrementAndGet()));
    }
}
