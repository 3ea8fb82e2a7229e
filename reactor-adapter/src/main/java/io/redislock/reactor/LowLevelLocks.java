package io.redislock.reactor;

import java.time.Duration;

import io.redislock.LockOptions;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.OwnedReply;
import io.redislock.protocol.TakeReply;
import io.redislock.reactor.store.Answer;
import io.redislock.reactor.store.StoreFailure;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** The operations to which the caller brings the owner value. */
final class LowLevelLocks {

    private final LockEnvironment environment;
    private final Releases releases;
    private final String name;
    private final Duration timeout;

    LowLevelLocks(LockEnvironment environment, Releases releases, LockOptions defaults) {
        this.environment = environment;
        this.releases = releases;
        this.name = defaults.name();
        this.timeout = defaults.commandTimeout();
    }

    Mono<Boolean> take(LockKey key, String value, Duration expiry) {
        return new Handover<>(() -> new Taking(key, value, expiry), environment.scheduler());
    }

    /**
     * A value may be shared by several callers, so only a reply that says "taken" is cleaned up after: releasing on
     * suspicion could delete another caller's lock.
     */
    private final class Taking implements Handover.Source<Boolean> {

        private final LockKey key;
        private final String value;
        private final Duration expiry;

        Taking(LockKey key, String value, Duration expiry) {
            this.key = key;
            this.value = value;
            this.expiry = expiry;
        }

        @Override
        public Mono<Boolean> run() {
            return Mono.deferContextual(context -> ifOpen(key, environment.store().take(key, value, expiry, timeout))
                    .map(answer -> taken(key, answer))
                    .onErrorMap(StoreFailure.class, failure -> {
                        failure.lateReply()
                                .filter(TakeReply.TAKEN::equals)
                                .contextWrite(context)
                                .subscribe(late -> giveBack(key, value, expiry, context));
                        releases.whenOver(failure, () -> { }); // so that closing waits for the late reply
                        return Unavailable.unavailable(key, failure);
                    }));
        }

        @Override
        public void abandon(Boolean taken, ContextView context) {
            if (taken) {
                giveBack(key, value, expiry, context);
            }
        }
    }

    /** Releases what certainly was taken, until it would have expired. */
    void giveBack(LockKey key, String value, Duration expiry, ContextView context) {
        releases.inBackground(new GuardedRelease(name, key, value, expiry, timeout, false), context);
    }

    private static boolean taken(LockKey key, Answer<TakeReply> answer) {
        if (answer.reply() == TakeReply.BUSY_WITH_EQUAL_VALUE && answer.resent()) {
            throw Unavailable.unavailable(key, "the command was sent again after a reconnect and found an equal value, "
                    + "which its first copy may have set, or another caller", true);
        }
        return answer.reply() == TakeReply.TAKEN;
    }

    Mono<Boolean> release(LockKey key, String value) {
        return new Handover<>(() -> new Releasing(key, value), environment.scheduler());
    }

    /** Sent whatever the subscriber does. */
    private final class Releasing implements Handover.Source<Boolean> {

        private final LockKey key;
        private final String value;

        Releasing(LockKey key, String value) {
            this.key = key;
            this.value = value;
        }

        @Override
        public Mono<Boolean> run() {
            return ifOpen(key, environment.store().release(key, value, timeout))
                    .map(answer -> released(key, answer))
                    .doOnNext(done -> changedHere(key, done))
                    .onErrorMap(failure -> Unavailable.unavailable(key, failure));
        }

        @Override
        public void abandon(Boolean released, ContextView context) {
            // nothing to clean up
        }
    }

    private static boolean released(LockKey key, Answer<OwnedReply> answer) {
        if (answer.reply() != OwnedReply.DONE && answer.resent()) {
            throw Unavailable.unavailable(key, "the release was sent again after a reconnect and did not find its key, "
                    + "which its first copy may have deleted", true);
        }
        return answer.reply() == OwnedReply.DONE;
    }

    Mono<Boolean> extend(LockKey key, String value, Duration expiry) {
        return environment.scheduled(ifOpen(key, environment.store().extend(key, value, expiry, timeout))
                .map(answer -> answer.reply() == OwnedReply.DONE)
                .doOnNext(done -> changedHere(key, done))
                .onErrorMap(failure -> Unavailable.unavailable(key, failure)));
    }

    Mono<String> query(LockKey key) {
        return environment.scheduled(ifOpen(key, environment.store().query(key, timeout))
                .onErrorMap(failure -> Unavailable.unavailable(key, failure)));
    }

    /** What this process writes itself the server does not tell it. */
    private void changedHere(LockKey key, boolean done) {
        if (done) {
            environment.queues().changed(key.onTheWire());
            environment.heldLeases().changed(key.onTheWire());
        }
    }

    private <T> Mono<T> ifOpen(LockKey key, Mono<T> command) {
        return Mono.defer(() -> environment.openWork().isClosed() ? Mono.error(Unavailable.closed(key)) : command);
    }
}
