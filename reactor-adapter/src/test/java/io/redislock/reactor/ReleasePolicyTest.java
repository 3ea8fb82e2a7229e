package io.redislock.reactor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.redislock.LockLoss;
import io.redislock.LockLostException;
import io.redislock.LockOptions;
import io.redislock.reactor.store.InMemoryLockStore.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** What the release after work finds, and what becomes of the result; in virtual time on a store in memory. */
class ReleasePolicyTest {

    private static final LockOptions MINUTE = LockOptions.defaults().expiry(Duration.ofMinutes(1))
            .commandTimeout(Duration.ofSeconds(1));

    private final EventLog events = new EventLog();
    private final VirtualLocks virtual = new VirtualLocks(events);
    private final List<Object> signals = new ArrayList<>();

    @AfterEach
    void realTime() {
        virtual.close();
    }

    @Test
    void successStands() {
        work(() -> { });

        assertThat(signals).containsExactly("result");
        assertThat(events.names()).containsExactly("acquired", "released");
    }

    @Test
    void keyThatWasDeletedUnderSuccessfulWorkIsALoss() {
        work(() -> virtual.store.delete("key"));

        assertLost(LockLoss.DELETED);
        assertThat(events.names()).containsExactly("acquired", "lost DELETED");
    }

    @Test
    void keyThatWasTakenOverUnderSuccessfulWorkIsALoss() {
        work(() -> virtual.store.put("key", "foreign", Duration.ofHours(1)));

        assertLost(LockLoss.TAKEN_OVER);
        assertThat(virtual.store.value("key")).contains("foreign");
    }

    @Test
    void valuesOfAFluxStayBeforeTheLossThatItsReleaseFinds() {
        virtual.locks.withLockMany("key", MINUTE, lock -> Flux.just(1, 2)
                        .doOnComplete(() -> virtual.store.delete("key")))
                .subscribe(signals::add, signals::add);

        assertThat(signals).hasSize(3).startsWith(1, 2);
        assertThat(signals.get(2)).isInstanceOf(LockLostException.class);
    }

    @Test
    void absentKeyAfterAReleaseThatWasSentTwiceIsNoAlarm() {
        work(() -> virtual.store.faults(Fault.RESENT));

        assertThat(signals).containsExactly("result");
        assertThat(events.names()).containsExactly("acquired", "released");
    }

    @Test
    void absentKeyAfterAReleaseWhoseReplyWasLostIsNoAlarm() {
        work(() -> virtual.store.faults(Fault.REPLY_LOST));
        assertThat(signals).isEmpty();

        virtual.pass(Duration.ofSeconds(1));
        assertThat(signals).containsExactly("result");
        virtual.pass(Duration.ofMinutes(1));

        assertThat(events.names()).containsExactly("acquired", "releaseFailed", "released");
        assertThat(virtual.store.releases()).isEqualTo(2);
    }

    @Test
    void unreachableRedisDelaysTheResultByOneTimeoutAndTheReleaseGoesOn() {
        work(() -> virtual.store.faults(Fault.REFUSED, Fault.REFUSED, Fault.REFUSED, Fault.REFUSED, Fault.REFUSED,
                Fault.REFUSED));

        virtual.pass(Duration.ofMillis(999));
        assertThat(signals).isEmpty();
        virtual.pass(Duration.ofMillis(1));
        assertThat(signals).containsExactly("result");
        assertThat(virtual.store.value("key")).isPresent();
        virtual.pass(Duration.ofSeconds(10));

        assertThat(virtual.store.value("key")).isEmpty();
    }

    @Test
    void releaseThatFailsFastIsRetriedWithinTheTimeoutAndThenConfirmed() {
        work(() -> virtual.store.faults(Fault.REFUSED, Fault.REFUSED));

        virtual.pass(Duration.ofMillis(500));

        assertThat(signals).containsExactly("result");
        assertThat(events.names()).containsExactly("acquired", "released");
    }

    @Test
    void failureOfTheWorkStaysPrimaryWhateverTheReleaseFinds() {
        IllegalStateException own = new IllegalStateException("own");
        for (Fault fault : new Fault[] {null, Fault.REFUSED, Fault.REPLY_LOST, Fault.RESENT}) {
            virtual.locks.withLock("key", MINUTE, lock -> Mono.fromRunnable(() -> {
                if (fault == null) {
                    virtual.store.delete("key");
                } else {
                    virtual.store.faults(fault);
                }
            }).then(Mono.error(own))).subscribe(signals::add, signals::add);
            virtual.pass(Duration.ofMinutes(2));
        }

        assertThat(signals).containsExactly(own, own, own, own);
    }

    @Test
    void cancelledWorkIsReleasedAndSignalsNothing() {
        Disposable working = virtual.locks.withLock("key", MINUTE, lock -> Mono.never())
                .subscribe(signals::add, signals::add, () -> signals.add("complete"));

        working.dispose();

        assertThat(virtual.store.value("key")).isEmpty();
        assertThat(signals).isEmpty();
        assertThat(events.names()).containsExactly("acquired", "released");
    }

    @Test
    void releaseOfAHandleNeverErrors() {
        for (Fault fault : Fault.values()) {
            virtual.locks.acquire("key", MINUTE).subscribe(lock -> {
                virtual.store.faults(fault);
                lock.release().subscribe(signals::add, error -> signals.add("error"));
            });
            virtual.pass(Duration.ofMinutes(2));
        }

        assertThat(signals).hasSize(Fault.values().length).doesNotContain("error");
    }

    /**
     * The server may have obeyed an extension to an hour; a release that gave up after 30 s would leave the key there.
     */
    @Test
    void releaseGoesOnForAsLongAsAnUnansweredExtensionMayKeepTheKey() {
        virtual.locks.acquire("key", MINUTE).subscribe(lock -> {
            virtual.store.faults(Fault.REPLY_LOST);
            lock.extend(Duration.ofHours(1)).subscribe(extended -> { }, failure -> { });
            virtual.pass(Duration.ofSeconds(2));
            Fault[] outage = new Fault[1_000];
            Arrays.fill(outage, Fault.REFUSED);
            virtual.store.faults(outage);
            lock.release().subscribe();
        });

        virtual.pass(Duration.ofMinutes(5));
        assertThat(virtual.store.value("key")).isPresent();
        virtual.store.clearFaults();
        virtual.pass(Duration.ofSeconds(2));

        assertThat(virtual.store.value("key")).isEmpty();
    }

    /** The deadline has passed, and an absent key is what one expects; the loss is told all the same. */
    @Test
    void absentKeyPastTheDeadlineIsNoSecondLoss() {
        virtual.locks.acquire("key", MINUTE).subscribe(lock -> {
            virtual.pass(Duration.ofMinutes(2));
            lock.release().subscribe(signals::add);
        });

        assertThat(signals).containsExactly(false);
        assertThat(events.names()).containsExactly("acquired", "lost EXPIRED");
    }

    private void work(Runnable atItsEnd) {
        virtual.locks.withLock("key", MINUTE, lock -> Mono.fromSupplier(() -> {
            atItsEnd.run();
            return "result";
        })).subscribe(signals::add, signals::add);
    }

    private void assertLost(LockLoss reason) {
        assertThat(signals).singleElement().isInstanceOfSatisfying(LockLostException.class,
                lost -> assertThat(lost.reason()).isEqualTo(reason));
    }
}
