package io.redislock.reactor;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.redislock.lease.RenewalSchedule;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * Renews a lease from the moment at which somebody has its handle until it ends. Each renewal is planned when the last
 * one was answered, never at a fixed rate.
 *
 * <p>The handle is held weakly: a lease whose handle nobody can reach any more would otherwise be renewed for no one.
 */
final class Renewal implements Runnable {

    private final HeldLease held;
    private final WeakReference<LeasedLock> handle;
    private final RenewalSchedule schedule;
    private final ContextView context;
    private final Disposable.Swap timer = Disposables.swap();

    Renewal(HeldLease held, LeasedLock handle, ContextView context) {
        this.held = held;
        this.handle = new WeakReference<>(handle);
        this.schedule = new RenewalSchedule(held.options().expiry());
        this.context = context;
    }

    /** Begins to renew. */
    void begin() {
        plan(schedule.untilNext());
    }

    /** No further renewal; one that is in flight is the business of {@link Extensions}. */
    void stop() {
        timer.dispose();
    }

    private void plan(Duration delay) {
        if (!timer.isDisposed()) {
            timer.replace(Schedulers.parallel().schedule(this, delay.toNanos(), TimeUnit.NANOSECONDS));
        }
    }

    @Override
    public void run() {
        if (!held.lease().isHeld()) {
            return;
        }
        if (handle.get() == null) {
            held.onDropped();
            return;
        }
        Duration timeout = schedule.timeout(held.giveBack().timeout());
        new SubscribedFirst<>(with -> held.extend(held.options().expiry(), timeout, true, context)).subscribe(ours -> {
            if (ours) {
                plan(schedule.untilNext(held.lease().remaining()));
            }
        }, failure -> plan(schedule.untilRetry()));
    }
}
