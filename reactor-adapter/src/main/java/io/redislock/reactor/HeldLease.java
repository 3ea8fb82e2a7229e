package io.redislock.reactor;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import io.redislock.LockLoss;
import io.redislock.LockOptions;
import io.redislock.LockState;
import io.redislock.lease.Lease;
import io.redislock.lease.Validity;
import io.redislock.protocol.WireText;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * A lease that this process holds: its state, its deadline's timer, its extensions, its release, and who is told. The
 * handle that users have points here; nothing here points back, so that a handle that was dropped can be noticed.
 */
final class HeldLease implements OpenWork.Item {

    private static final Logger LOG = Loggers.getLogger(RedisLock.class);

    private static final AtomicReferenceFieldUpdater<HeldLease, ReleaseOnce> RELEASE =
            AtomicReferenceFieldUpdater.newUpdater(HeldLease.class, ReleaseOnce.class, "release");
    private static final AtomicReferenceFieldUpdater<HeldLease, Extensions> EXTENSIONS =
            AtomicReferenceFieldUpdater.newUpdater(HeldLease.class, Extensions.class, "extensions");
    private static final AtomicReferenceFieldUpdater<HeldLease, KeyLook> LOOK =
            AtomicReferenceFieldUpdater.newUpdater(HeldLease.class, KeyLook.class, "look");
    private static final AtomicLongFieldUpdater<HeldLease> KEY_END =
            AtomicLongFieldUpdater.newUpdater(HeldLease.class, "keyEndNanos");

    private final LockEnvironment environment;
    private final Releases releases;
    private final GuardedRelease giveBack;
    private final LockOptions options;
    private final Lease lease;
    private final LeaseTimer timer;
    private final long fencingToken;
    private final long startNanos;
    /** When the key is gone from the server at the latest, by the local clock. */
    private volatile long keyEndNanos;
    private final Late<LockLoss> lost = new Late<>();
    private volatile @Nullable Renewal renewal;
    /** Of whoever acquired it, for what happens without a subscriber. */
    private volatile ContextView context = Context.empty();
    private volatile @Nullable LockLoss foundAtRelease;
    private volatile @Nullable ReleaseOnce release;
    private volatile @Nullable Extensions extensions;
    private volatile @Nullable KeyLook look;

    /**
     * @param giveBack how to release it; carries the key and the owner value
     * @param fencingToken {@link io.redislock.protocol.AcquireReply#NO_FENCING_TOKEN} when it has none
     */
    HeldLease(LockEnvironment environment, Releases releases, GuardedRelease giveBack, LockOptions options,
            Validity validity, long fencingToken) {
        this.environment = environment;
        this.releases = releases;
        this.giveBack = giveBack;
        this.options = options;
        this.fencingToken = fencingToken;
        this.startNanos = environment.clock().nanoTime();
        this.keyEndNanos = startNanos + options.expiry().toNanos();
        this.lease = new Lease(environment.clock(), validity, this::onLoss);
        this.timer = new LeaseTimer(this);
    }

    /** To be called once, before anybody else has it. */
    void begin() {
        environment.openWork().begin(this);
        environment.heldLeases().begin(this);
        timer.arm();
    }

    /** Somebody has this handle now: renews as long as that is so, if it is to be renewed. */
    void onDelivered(LeasedLock handle, ContextView subscriber) {
        context = subscriber;
        if (options.maxHold().isEmpty()) {
            return;
        }
        Renewal begun = new Renewal(this, handle, subscriber);
        renewal = begun;
        begun.begin();
        if (!lease.isHeld()) {
            begun.stop(); // it ended in between, and found nothing to stop
        }
    }

    LockEnvironment environment() {
        return environment;
    }

    GuardedRelease giveBack() {
        return giveBack;
    }

    LockOptions options() {
        return options;
    }

    long fencingToken() {
        return fencingToken;
    }

    Lease lease() {
        return lease;
    }

    /** How long it has been held, or was when it ended. */
    Duration heldFor() {
        return Duration.ofNanos(environment.clock().nanoTime() - startNanos);
    }

    /** Emits the reason once lost; completes empty once released before that. */
    Mono<LockLoss> lost() {
        return lost.mono();
    }

    /** See {@link Extensions#extend}. */
    SubscribedFirst.Step<Boolean> extend(Duration expiry, Duration timeout, boolean patient, ContextView context) {
        return lease.isHeld() ? extensions().extend(expiry, timeout, patient, context)
                : new SubscribedFirst.Step<>(Mono.just(false), () -> { });
    }

    /** The deadline was lengthened by the server, too late for us: somebody must delete the key. */
    void releaseProlonged(Duration expiry, ContextView context) {
        releases.inBackground(giveBack.withKeyLife(expiry), context);
    }

    /** Somebody may have done something to the key. */
    void keyChanged() {
        KeyLook existing = look;
        if (existing != null) {
            existing.wanted();
        } else if (lease.isHeld()) {
            LOOK.compareAndSet(this, null, new KeyLook(this));
            keyChanged();
        }
    }

    /** An extension is about to be sent. The server may do it and the reply be lost, so the key may live that long. */
    void onExtending(Duration expiry) {
        long until = environment.clock().nanoTime() + expiry.toNanos();
        KEY_END.accumulateAndGet(this, until, (known, next) -> next - known > 0 ? next : known);
    }

    private Duration keyMayLiveFor() {
        Duration life = Duration.ofNanos(keyEndNanos - environment.clock().nanoTime());
        return life.compareTo(giveBack.keyLife()) > 0 ? life : giveBack.keyLife();
    }

    /** An extension succeeded in time. */
    void onExtended() {
        environment.listener().extended(options.name(), key());
    }

    /** An extension got no answer. */
    void onExtensionFailed(Throwable failure) {
        if (lease.suspect()) {
            LOG.warn("The lock {} is suspect: it could not be extended and ends in {} unless that succeeds: {}",
                    WireText.shown(key()), lease.remaining(), failure.getMessage());
            environment.listener().suspect(options.name(), key());
        }
    }

    /** The release, sent by the first step that is started; the outcome for all. */
    SubscribedFirst.Step<ReleaseOutcome> release(ContextView context) {
        ReleaseOnce existing = release;
        if (existing == null) {
            RELEASE.compareAndSet(this, null, new ReleaseOnce(releases, this::onReleaseOutcome,
                    () -> environment.openWork().end(this)));
            return release(context);
        }
        return new SubscribedFirst.Step<>(existing.outcome(), () -> startRelease(existing, context));
    }

    /** Gives it back when nobody asks for the outcome. */
    void releaseNow(ContextView context) {
        release(context).start().run();
    }

    private void startRelease(ReleaseOnce once, ContextView context) {
        if (!once.claim()) {
            return;
        }
        environment.openWork().begin(this); // again, if it was lost before
        GuardedRelease sent = giveBack.withKeyLife(keyMayLiveFor());
        lease.release();
        if (lease.loss().isEmpty()) {
            lost.empty();
        }
        stopTimers();
        Extensions running = extensions;
        if (running == null) {
            send(once, sent, context);
        } else {
            running.stop(() -> send(once, sent, context));
        }
    }

    /** Right after the release goes the attempt of whoever waits here: one round trip for both. */
    private void send(ReleaseOnce once, GuardedRelease sent, ContextView context) {
        environment.store().together(() -> {
            once.start(sent, context);
            if (once.isTold()) {
                environment.queues().changed(sent.key().onTheWire());
            } else {
                environment.queues().releaseSent(sent.key().onTheWire());
            }
        });
    }

    /** The locks are closed: whoever works under it is told, then it is given back. */
    @Override
    public void endSoon() {
        if (!lease.lose(LockLoss.CLOSED)) {
            releaseNow(context);
        }
    }

    /** The handle was dropped without a release. */
    void onDropped() {
        LOG.warn("The lock {} was dropped without a release after {} and is released now: use withLock or usingWhen",
                WireText.shown(key()), heldFor());
        releaseNow(context);
    }

    /** Why exclusion may have been broken: what was known, or what the release found. */
    Optional<LockLoss> loss() {
        return lease.loss().or(() -> Optional.ofNullable(foundAtRelease));
    }

    /** Called by the thread that found out, which may be anybody's, so it is announced on another. */
    private void onLoss(LockLoss reason) {
        Duration heldFor = heldFor();
        Schedulers.parallel().schedule(() -> announce(reason, heldFor));
    }

    private void announce(LockLoss reason, Duration heldFor) {
        stopTimers();
        environment.queues().changed(giveBack.key().onTheWire());
        tellLost(reason, heldFor);
        try {
            lost.value(reason);
        } finally {
            afterLoss(reason);
        }
    }

    private void afterLoss(LockLoss reason) {
        if (reason == LockLoss.CLOSED) {
            releaseNow(context);
        } else if (lease.state() == LockState.LOST) {
            environment.openWork().end(this);
        }
    }

    private void tellLost(LockLoss reason, Duration heldFor) {
        LOG.warn("The lock {} was lost after {}: {}", WireText.shown(key()), heldFor, reason);
        environment.listener().lost(options.name(), key(), reason, heldFor);
    }

    private void onReleaseOutcome(ReleaseOutcome outcome) {
        if (outcome == ReleaseOutcome.UNANSWERED) {
            ReleaseOnce sent = release;
            LOG.warn("The release of the lock {} was not confirmed within {} and is repeated in the background: {}",
                    WireText.shown(key()), giveBack.timeout(), sent == null ? "" : sent.lastFailure());
            environment.listener().releaseFailed(options.name(), key());
        }
        if (lease.loss().isEmpty()) {
            // Past the deadline, an absent key is what one expects.
            foundAtRelease = lease.isBeforeDeadline() ? outcome.loss() : null;
            if (foundAtRelease != null) {
                tellLost(foundAtRelease, heldFor());
            } else {
                environment.listener().released(options.name(), key(), heldFor());
            }
        }
    }

    private void stopTimers() {
        environment.heldLeases().end(this);
        timer.disarm();
        Renewal running = renewal;
        if (running != null) {
            running.stop();
        }
    }

    private Extensions extensions() {
        Extensions existing = extensions;
        if (existing != null) {
            return existing;
        }
        EXTENSIONS.compareAndSet(this, null, new Extensions(this));
        return extensions();
    }

    String key() {
        return giveBack.key().name();
    }

    LockState state() {
        return lease.state();
    }
}
