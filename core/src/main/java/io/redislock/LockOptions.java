package io.redislock;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

import io.redislock.lease.Expiry;
import org.jspecify.annotations.Nullable;

/**
 * How a lock is acquired and held. Immutable: each call returns a changed copy, and the order of calls never matters.
 *
 * <pre>{@code
 * LockOptions nightly = LockOptions.defaults()
 *         .expiry(Duration.ofMinutes(1))
 *         .waitAtMost(Duration.ofSeconds(10));
 * }</pre>
 *
 * <p>A bad value is refused by the call that brings it, with an {@link IllegalArgumentException} that names the
 * argument and the value, or a {@link NullPointerException} that names the argument. Two options are equal when they
 * were given the same, which is more than that their accessors agree.
 */
public final class LockOptions {

    private static final long DEFAULT_RETRIES = 3;

    private static final LockOptions DEFAULTS = new LockOptions(new Draft());

    private final String name;
    private final Duration expiry;
    private final @Nullable Long maxRetries;
    private final Duration retryDelay;
    private final Duration maxRetryDelay;
    private final double jitter;
    private final @Nullable Duration waitAtMost;
    private final Duration commandTimeout;
    private final @Nullable Duration maxHold;
    private final boolean fenced;

    private LockOptions(Draft draft) {
        this.name = draft.name;
        this.expiry = draft.expiry;
        this.maxRetries = draft.maxRetries;
        this.retryDelay = draft.retryDelay;
        this.maxRetryDelay = draft.maxRetryDelay;
        this.jitter = draft.jitter;
        this.waitAtMost = draft.waitAtMost;
        this.commandTimeout = draft.commandTimeout;
        this.maxHold = draft.maxHold;
        this.fenced = draft.fenced;
    }

    /**
     * 30 s expiry; 3 retries, from 200 ms up to 2 s, jitter 0.5, no other bound on the wait; 2 s for one round trip.
     */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /**
     * A name of low cardinality under which this kind of lock is counted, never the key itself.
     *
     * @param metricName not blank; default {@code lock}
     */
    public LockOptions name(String metricName) {
        Objects.requireNonNull(metricName, "metricName");
        if (metricName.isBlank()) {
            throw new IllegalArgumentException("metricName must not be blank: \"" + metricName + "\"");
        }
        Draft draft = draft();
        draft.name = metricName;
        return new LockOptions(draft);
    }

    /**
     * How long the key lives on the server unless it is extended or released.
     *
     * @param expiry at least 3 ms, because {@link io.redislock.lease.Validity the drift allowance} takes 2 ms and 1 %;
     *     default 30 s. Fractions of a millisecond are cut off.
     */
    public LockOptions expiry(Duration expiry) {
        Draft draft = draft();
        draft.expiry = Expiry.ofLease("expiry", expiry);
        return new LockOptions(draft);
    }

    /**
     * How often a busy lock is asked for again by schedule; being woken in between, because the lock may have become
     * free, does not count. An attempt that falls due behind others who wait in the same process counts as busy,
     * unsent. Delays start at {@code delay} and double up to {@link #maxRetryDelay(Duration)}, each moved at random by
     * {@link #jitter(double)}. To set the delay of a wait that only {@link #waitAtMost(Duration)} bounds, give {@link
     * Long#MAX_VALUE} retries. With the defaults a call waits for 1 to 2 seconds in all, also in a queue that moves.
     *
     * @param maxRetries attempts after the first one, not negative; default 3
     * @param delay the first delay, positive; default 200 ms
     */
    public LockOptions retry(long maxRetries, Duration delay) {
        if (maxRetries < 0) {
            throw new IllegalArgumentException("maxRetries must not be negative: " + maxRetries);
        }
        Draft draft = draft();
        draft.maxRetries = maxRetries;
        draft.retryDelay = Expiry.positive("delay", delay);
        return new LockOptions(draft);
    }

    /**
     * The cap of the backoff. A cap below the first delay has no effect.
     *
     * @param maxRetryDelay positive; default 2 s
     */
    public LockOptions maxRetryDelay(Duration maxRetryDelay) {
        Draft draft = draft();
        draft.maxRetryDelay = Expiry.positive("maxRetryDelay", maxRetryDelay);
        return new LockOptions(draft);
    }

    /**
     * The share of a delay by which it is moved at random, so that waiters do not march in step.
     *
     * @param jitter from 0, none, to 1; default 0.5. Reactor rounds it down to whole percents and milliseconds.
     */
    public LockOptions jitter(double jitter) {
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException("jitter must be within [0, 1]: " + jitter);
        }
        Draft draft = draft();
        draft.jitter = jitter + 0.0; // -0.0 is 0.0, also for equals
        return new LockOptions(draft);
    }

    /**
     * Bounds the whole wait. Retries are then unbounded unless {@link #retry(long, Duration)} bounds them too, and the
     * delay that would run past the end is cut there for one last attempt. An attempt in flight at the end is awaited
     * and counts if it succeeds.
     *
     * @param waitAtMost zero (one attempt) or more, however long; by default only retries bound a wait
     */
    public LockOptions waitAtMost(Duration waitAtMost) {
        Objects.requireNonNull(waitAtMost, "waitAtMost");
        if (waitAtMost.isNegative()) {
            throw new IllegalArgumentException("waitAtMost must not be negative: " + waitAtMost);
        }
        Draft draft = draft();
        draft.waitAtMost = waitAtMost;
        return new LockOptions(draft);
    }

    /**
     * How long one round trip to Redis may take before the lock counts as unavailable.
     *
     * @param commandTimeout positive; default 2 s, and never more than the expiry
     */
    public LockOptions commandTimeout(Duration commandTimeout) {
        Draft draft = draft();
        draft.commandTimeout = Expiry.positive("commandTimeout", commandTimeout);
        return new LockOptions(draft);
    }

    /**
     * Renews the lease while it is held, at a third of the expiry, until it is released or this time has passed since
     * it was acquired; then it is lost as {@link LockLoss#MAX_HOLD_REACHED}. Without it a lease lasts one expiry unless
     * it is extended by hand.
     *
     * @param maxHold positive: a bound on work that never ends; none by default
     */
    public LockOptions autoRenew(Duration maxHold) {
        Draft draft = draft();
        draft.maxHold = Expiry.positive("maxHold", maxHold);
        return new LockOptions(draft);
    }

    /**
     * Mints a fencing token with the acquisition, in the same round trip: a number greater than every earlier one for
     * this key. Where a write that comes too late must not be done, the destination compares it: a lease alone cannot
     * stop a worker that was paused. Without it a lock has none.
     *
     * <p>The last number is kept in a second key, for a day unless the builder says otherwise, and the floor is the
     * server's time in microseconds. So the sequence survives that this key is deleted, evicted, or lost by a restart
     * or failover, as long as the clock of the server that mints next is past the last number: that is, does not run
     * behind the clock that minted it by more than has passed since. Only acquisitions with this option mint: whoever
     * takes the same key without it, or by {@code take}, has no place in the order.
     */
    public LockOptions fenced() {
        Draft draft = draft();
        draft.fenced = true;
        return new LockOptions(draft);
    }

    /** See {@link #name(String)}. */
    public String name() {
        return name;
    }

    /** See {@link #expiry(Duration)}. */
    public Duration expiry() {
        return expiry;
    }

    /** Attempts after the first: as given to {@link #retry(long, Duration)}, else unbounded
     * ({@link Long#MAX_VALUE}) with {@link #waitAtMost(Duration)}, else 3. */
    public long maxRetries() {
        if (maxRetries != null) {
            return maxRetries;
        }
        return waitAtMost != null ? Long.MAX_VALUE : DEFAULT_RETRIES;
    }

    /** The first delay between attempts, see {@link #retry(long, Duration)}. */
    public Duration retryDelay() {
        return retryDelay;
    }

    /** See {@link #maxRetryDelay(Duration)}. */
    public Duration maxRetryDelay() {
        return maxRetryDelay;
    }

    /** See {@link #jitter(double)}. */
    public double jitter() {
        return jitter;
    }

    /** See {@link #waitAtMost(Duration)}; empty when only retries bound a wait. */
    public Optional<Duration> waitAtMost() {
        return Optional.ofNullable(waitAtMost);
    }

    /** See {@link #commandTimeout(Duration)}: the smaller of what was given and the expiry. */
    public Duration commandTimeout() {
        return commandTimeout.compareTo(expiry) < 0 ? commandTimeout : expiry;
    }

    /** See {@link #autoRenew(Duration)}; empty when the lease is not renewed. */
    public Optional<Duration> maxHold() {
        return Optional.ofNullable(maxHold);
    }

    /** Whether a fencing token is minted, see {@link #fenced()}. */
    public boolean isFenced() {
        return fenced;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockOptions that
                && name.equals(that.name)
                && expiry.equals(that.expiry)
                && Objects.equals(maxRetries, that.maxRetries)
                && retryDelay.equals(that.retryDelay)
                && maxRetryDelay.equals(that.maxRetryDelay)
                && jitter == that.jitter
                && Objects.equals(waitAtMost, that.waitAtMost)
                && commandTimeout.equals(that.commandTimeout)
                && Objects.equals(maxHold, that.maxHold)
                && fenced == that.fenced;
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, expiry, maxRetries, retryDelay, maxRetryDelay, jitter, waitAtMost, commandTimeout,
                maxHold, fenced);
    }

    @Override
    public String toString() {
        return "LockOptions[name=" + name + ", expiry=" + expiry
                + ", maxRetries=" + (maxRetries() == Long.MAX_VALUE ? "unbounded" : maxRetries())
                + ", retryDelay=" + retryDelay + ", maxRetryDelay=" + maxRetryDelay + ", jitter=" + jitter
                + ", waitAtMost=" + (waitAtMost == null ? "none" : waitAtMost)
                + ", commandTimeout=" + commandTimeout()
                + ", maxHold=" + (maxHold == null ? "not renewed" : maxHold)
                + ", fenced=" + fenced + ']';
    }

    private Draft draft() {
        Draft draft = new Draft();
        draft.name = name;
        draft.expiry = expiry;
        draft.maxRetries = maxRetries;
        draft.retryDelay = retryDelay;
        draft.maxRetryDelay = maxRetryDelay;
        draft.jitter = jitter;
        draft.waitAtMost = waitAtMost;
        draft.commandTimeout = commandTimeout;
        draft.maxHold = maxHold;
        draft.fenced = fenced;
        return draft;
    }

    /** The one mutable copy from which the next options are made; starts as the defaults. */
    private static final class Draft {
        String name = "lock";
        Duration expiry = Duration.ofSeconds(30);
        @Nullable Long maxRetries;
        Duration retryDelay = Duration.ofMillis(200);
        Duration maxRetryDelay = Duration.ofSeconds(2);
        double jitter = 0.5;
        @Nullable Duration waitAtMost;
        Duration commandTimeout = Duration.ofSeconds(2);
        @Nullable Duration maxHold;
        boolean fenced;
    }
}
