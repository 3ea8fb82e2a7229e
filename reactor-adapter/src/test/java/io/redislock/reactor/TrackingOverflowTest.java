package io.redislock.reactor;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.redislock.LockLoss;
import io.redislock.LockOptions;
import io.redislock.LockState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server that can watch one key only: each attempt for one key makes it forget another, of which it then says that it
 * changed. Unchecked, the attempts of processes would bring forth one another.
 */
@Tag("long")
class TrackingOverflowTest {

    private static final int PROCESSES = 4;
    private static final Duration WHILE = Duration.ofSeconds(2);
    /** Unchecked, there are hundreds. */
    private static final long BOUND = 60;

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn("tracking-table-max-keys 1");

    private List<String> keys;
    private List<ReactiveRedisLocks> processes;

    @BeforeEach
    void severalProcessesWithAKeyEach() {
        keys = Stream.generate(FIXTURE::freshKey).limit(PROCESSES).toList();
        processes = Stream.generate(() -> FIXTURE.locks(builder -> builder)).limit(PROCESSES).toList();
        FIXTURE.loadScripts();
    }

    @Test
    void attemptsOfThoseWithALongScheduleStayFewAndEachIsWoken() {
        assertThat(attemptsPerKeyOf(waits(LongWait.SCHEDULE, LongWait.HOUR))).isLessThan(BOUND);
    }

    @Test
    void attemptsOnTheDefaultDelayStayFewAndEachHasItsLock() {
        LockOptions schedule = LockOptions.defaults().waitAtMost(LongWait.HOUR);

        assertThat(attemptsPerKeyOf(waits(schedule, LongWait.HOUR))).isLessThan(BOUND);
    }

    /** Here the server says nothing of what it forgets, because this connection's own commands made it forget. */
    @Test
    void keysOfOneProcessAreHadByTheirScheduleAtTheLatest() {
        LockOptions schedule = LockOptions.defaults().waitAtMost(LongWait.HOUR);
        keys.forEach(key -> FIXTURE.put(key, "foreign", LongWait.HOUR));

        assertThat(attemptsPerKeyOf(keys.stream()
                .map(key -> LongWait.begin(FIXTURE.locks(), key, schedule)).toList())).isLessThan(BOUND);
    }

    /** Counts while nothing happens to the keys, then frees them one by one, and each must be had. */
    private long attemptsPerKeyOf(List<LongWait> waits) {
        FIXTURE.resetStats();
        pass(WHILE);
        long attempts = FIXTURE.scriptCalls() / PROCESSES;
        System.out.println("Attempts per key in " + WHILE + ": " + attempts);
        assertThat(waits).noneMatch(LongWait::isOver);

        for (int wait = 0; wait < PROCESSES; wait++) {
            FIXTURE.redis().del(keys.get(wait));
            waits.get(wait).endWithALock();
        }
        return attempts;
    }

    /** That attempts are held back must not keep one from the end of the holder's lease. */
    @Test
    void leaseThatEndsIsHadAtItsEnd() {
        Duration life = Duration.ofMillis(3200);
        long start = System.nanoTime();
        List<LongWait> waits = waits(LongWait.SCHEDULE, life);

        List<RedisLock> locks = waits.stream().map(LongWait::lock).toList();
        Duration late = Duration.ofNanos(System.nanoTime() - start).minus(life);

        System.out.println("The last was had so long after the end of the lease: " + late);
        assertThat(late).isLessThan(Duration.ofMillis(800));
        locks.forEach(lock -> lock.release().block(Await.PATIENCE));
    }

    @Test
    void looksOfHoldersStayFewAndLoseNothing() {
        List<RedisLock> held = holdAll();
        FIXTURE.resetStats();

        pass(WHILE);

        long looks = FIXTURE.calls("get") / PROCESSES;
        System.out.println("Looks per lease in " + WHILE + ": " + looks);
        assertThat(looks).isLessThan(BOUND);
        assertThat(held).allMatch(lock -> lock.state() == LockState.HELD);
        held.forEach(lock -> lock.release().block(Await.PATIENCE));
    }

    @Test
    void holdersAreToldALossAllTheSame() {
        List<RedisLock> held = holdAll();
        pass(Duration.ofMillis(500));

        keys.forEach(FIXTURE.redis()::del);

        assertThat(held).allSatisfy(lock -> assertThat(lock.lost().block(Await.PATIENCE)).isEqualTo(LockLoss.DELETED));
    }

    private List<RedisLock> holdAll() {
        LockOptions aMinute = LockOptions.defaults().expiry(Duration.ofMinutes(1));
        return IntStream.range(0, PROCESSES)
                .mapToObj(each -> processes.get(each).acquire(keys.get(each), aMinute).block(Await.PATIENCE))
                .toList();
    }

    private List<LongWait> waits(LockOptions schedule, Duration life) {
        keys.forEach(key -> FIXTURE.put(key, "foreign", life));
        return IntStream.range(0, PROCESSES)
                .mapToObj(each -> LongWait.begin(processes.get(each), keys.get(each), schedule))
                .toList();
    }

    /** At each command the server looks at its table, so there is one every few milliseconds. */
    private static void pass(Duration time) {
        long start = System.nanoTime();
        Await.until("a while has passed", () -> {
            FIXTURE.redis().ping();
            return System.nanoTime() - start > time.toNanos();
        });
    }
}
