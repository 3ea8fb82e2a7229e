package io.redislock.reactor;

import java.time.Duration;

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
    private final Duration timeout;

    LowLevelLocks(LockEnvironment environment, Releases releases, Duration timeout) {
        this.environment = environment;
        this.releases = releases;
        this.timeout = timeout;
    }

    /**
     * A value may be shared by several callers, so only a reply that says "taken" is cleaned up after: releasing on
     * suspicion could delete another caller's lock.
     */
    Mono<Boolean> take(LockKey key, String value, Duration expiry) {
        return new Handover<>(cancelled -> Mono.deferContextual(context -> environment.store()
                .take(key, value, expiry, timeout)
                .map(answer -> taken(key, answer))
                .onErrorMap(StoreFailure.class, failure -> {
                    failure.lateReply()
                            .filter(TakeReply.TAKEN::equals)
                            .contextWrite(context)
                            .subscribe(late -> giveBack(key, value, expiry, context));
                    return Unavailable.unavailable(key, failure);
                })),
                (taken, context) -> {
                    if (taken) {
                        giveBack(key, value, expiry, context);
                    }
                },
                environment.scheduler());
    }

    private static boolean taken(LockKey key, Answer<TakeReply> answer) {
        if (answer.reply() == TakeReply.BUSY_WITH_EQUAL_VALUE && answer.resent()) {
            throw Unavailable.unavailable(key, "the command was sent again after a reconnect and found an equal value, "
                    + "which its first copy may have set, or another caller", true);
        }
        return answer.reply() == TakeReply.TAKEN;
    }

    private void giveBack(LockKey key, String value, Duration expiry, ContextView context) {
        releases.inBackground(new GuardedRelease(key, value, expiry, timeout, false), context);
    }

    Mono<Boolean> release(LockKey key, String value) {
        return new Handover<>(cancelled -> environment.store()
                .release(key, value, timeout)
                .map(answer -> released(key, answer))
                .onErrorMap(failure -> Unavailable.unavailable(key, failure)),
                (released, context) -> { },
                environment.scheduler());
    }

    private static boolean released(LockKey key, Answer<OwnedReply> answer) {
        if (answer.reply() == OwnedReply.ABSENT && answer.resent()) {
            throw Unavailable.unavailable(key, "the release was sent again after a reconnect and found no key, "
                    + "which its first copy may have deleted", true);
        }
        return answer.reply() == OwnedReply.DONE;
    }

    Mono<Boolean> extend(LockKey key, String value, Duration expiry) {
        return environment.scheduled(environment.store()
                .extend(key, value, expiry, timeout)
                .map(answer -> answer.reply() == OwnedReply.DONE)
                .onErrorMap(failure -> Unavailable.unavailable(key, failure)));
    }

    Mono<String> query(LockKey key) {
        return environment.scheduled(environment.store()
                .query(key, timeout)
                .onErrorMap(failure -> Unavailable.unavailable(key, failure)));
    }
}
