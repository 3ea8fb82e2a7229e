package io.redislock.reactor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SetArgs;
import io.lettuce.core.protocol.ProtocolVersion;
import io.redislock.LockOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/** No wake-up is lost: on schedules of an hour, one lost would leave somebody waiting for a lock that is free. */
class WakeUpRaceTest {

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final ReactiveRedisLocks locks = FIXTURE.locks();
    private final String key = FIXTURE.freshKey();
    private final AtomicInteger inside = new AtomicInteger();

    /** The first attempt may find the key, or not, or be under way when the news comes. */
    @Test
    void keyThatIsDeletedAtAnyMomentOfAFirstAttemptIsHad() {
        for (int round = 0; round < Rounds.of(5000); round++) {
            FIXTURE.put(key, "foreign", LongWait.HOUR);
            LongWait wait = LongWait.begin(locks, key);
            LockSupport.parkNanos(random(Duration.ofMillis(1)));
            FIXTURE.redis().del(key);
            wait.endWithALock();
        }
    }

    /** Again and again it is another's by the time the waiter looks. */
    @Test
    void keyThatChangesHandsFastIsHadInTheEnd() {
        for (int round = 0; round < Rounds.of(500); round++) {
            FIXTURE.put(key, "foreign", LongWait.HOUR);
            LongWait wait = LongWait.begin(locks, key);
            for (int owner = 0; owner < 10 && !wait.isOver(); owner++) {
                FIXTURE.redis().del(key);
                FIXTURE.redis().set(key, "foreign-" + owner, SetArgs.Builder.nx());
                LockSupport.parkNanos(random(Duration.ofMillis(2)));
            }
            if (!wait.isOver()) {
                String owner = FIXTURE.redis().get(key);
                if (owner != null && owner.startsWith("foreign")) {
                    FIXTURE.redis().del(key);
                }
            }
            wait.endWithALock();
        }
    }

    /** It may leave before the news, with its attempt under way, or with the lock just had. */
    @Test
    void nextOneIsWokenWhenTheFirstLeavesAtTheSameMoment() {
        for (int round = 0; round < Rounds.of(3000); round++) {
            FIXTURE.put(key, "foreign", LongWait.HOUR);
            LongWait first = LongWait.begin(locks, key);
            LongWait second = LongWait.parked(locks, key);
            boolean leavesFirst = round % 2 == 0;
            if (leavesFirst) {
                first.giveUp();
            }
            FIXTURE.reactiveRedis().del(key).subscribe();
            LockSupport.parkNanos(random(Duration.ofMillis(4)));
            if (!leavesFirst && !first.giveUp()) {
                first.endWithALock();
            }
            second.endWithALock();
        }
    }

    @Test
    void crowdsInSeveralProcessesAreServedToTheLast() {
        List<ReactiveRedisLocks> processes = new ArrayList<>(List.of(locks));
        processes.add(FIXTURE.locks(builder -> builder));
        processes.add(FIXTURE.locks(builder -> builder));

        assertThat(serve(processes, Rounds.of(3000))).isEqualTo(Rounds.of(3000));
    }

    /** Nobody is told anything but by the releases of the process itself. */
    @Test
    void crowdInOneProcessIsServedToTheLastWithoutTracking() {
        ReactiveRedisLocks resp2 = FIXTURE.locks(FIXTURE.client(FIXTURE.server().uri(),
                ClientOptions.builder().protocolVersion(ProtocolVersion.RESP2).build()), builder -> builder);

        assertThat(serve(List.of(resp2), Rounds.of(3000))).isEqualTo(Rounds.of(3000));
    }

    /** Some leave on the way, as callers do. */
    @Test
    void crowdsOfWhichSomeLeaveAreServedToTheLast() {
        List<ReactiveRedisLocks> processes = List.of(locks, FIXTURE.locks(builder -> builder));
        List<LongWait> leaving = new ArrayList<>();
        for (int caller = 0; caller < Rounds.of(500); caller++) {
            leaving.add(LongWait.begin(processes.get(caller % 2), key));
        }
        Mono<Void> leave = Flux.fromIterable(leaving)
                .delayElements(Duration.ofMillis(1))
                .doOnNext(LongWait::leave)
                .then();

        leave.subscribe();
        assertThat(serve(processes, Rounds.of(1000))).isEqualTo(Rounds.of(1000));
        Await.until("the key is free", () -> !FIXTURE.exists(key));
    }

    /** How many of so many callers, who all come at once, had their turn, one at a time. */
    private long serve(List<ReactiveRedisLocks> processes, int callers) {
        LockOptions schedule = LongWait.SCHEDULE;
        return Flux.range(0, callers)
                .flatMap(caller -> processes.get(caller % processes.size())
                        .withLock(key, schedule, lock -> Mono.fromCallable(this::alone)
                                .delayElement(Duration.ofMillis(caller % 7 == 0 ? 1 : 0), Schedulers.parallel())
                                .doOnNext(alone -> inside.decrementAndGet()))
                        .subscribeOn(Schedulers.parallel()), callers)
                .doOnNext(alone -> assertThat(alone).isTrue())
                .count()
                .block(Duration.ofMinutes(1));
    }

    private boolean alone() {
        return inside.incrementAndGet() == 1;
    }

    private static long random(Duration most) {
        return ThreadLocalRandom.current().nextLong(most.toNanos());
    }
}
