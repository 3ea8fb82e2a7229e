package io.redislock.reactor;

import java.time.Duration;
import java.util.OptionalLong;

import io.redislock.LockLoss;
import io.redislock.LockState;
import reactor.core.publisher.Mono;

/**
 * A lock that was acquired: a lease on a key, held until it is released or runs out.
 *
 * <p>Whoever has the handle may use it, on any thread: ownership is the {@link #value()}, not a thread. All methods are
 * safe for concurrent use.
 */
public interface RedisLock {

    /** The key as the caller gave it, without a configured prefix. */
    String key();

    /** The generated owner value that the key holds on the server, unique to this acquisition. */
    String value();

    /**
     * The number that a destination compares to refuse a late write: greater than that of every earlier holder of this
     * key, under the conditions of {@link io.redislock.LockOptions#fenced()}, and the same for as long as this handle
     * exists, whatever is renewed or extended. Empty without that option.
     *
     * @see FencedWrites
     */
    OptionalLong fencingToken();

    /**
     * Whether the lock is held at this moment, by the local clock. Never optimistic: false once {@link #release()} was
     * subscribed to, once Redis said that the key is no longer ours, and from the local deadline on, which lies before
     * the moment at which the server can expire the key. Costs no round trip.
     */
    boolean isAcquired();

    /**
     * Where the lease stands at this moment, by the local clock; agrees with {@link #isAcquired()}, which is true in
     * {@link LockState#HELD} and {@link LockState#SUSPECT}.
     */
    LockState state();

    /** How long the lock is still held by the local clock, unless extended; zero when it is not held. */
    Duration remaining();

    /**
     * Makes the lease last at least this long from now; never shortens it.
     *
     * <p>Emits true when the server did so. Emits false when the lock is no longer ours: released, past its deadline
     * (also when the reply came after it), absent on the server, or another owner's; it does not come back. Fails with
     * {@link io.redislock.LockUnavailableException} when Redis did not answer; the lease then lasts as long as it did
     * before. Cancelling only stops listening. Each subscription extends.
     *
     * @param expiry one millisecond or more, from now
     */
    Mono<Boolean> extend(Duration expiry);

    /**
     * Gives the lock back: deletes the key if it still holds this handle's value.
     *
     * <pre>
     *   first subscription ---- sent --------- deleted --> true
     *   later ones         ---- the same outcome, nothing sent
     *   no answer          ---- commandTimeout --> false, and it goes on in the background
     * </pre>
     *
     * <p>Emits true when the server confirmed that this handle's key was deleted. Emits false when the key was gone or
     * another owner's, when a copy of the command may have deleted it and the reply was lost, or when Redis did not
     * answer within {@link io.redislock.LockOptions#commandTimeout(Duration)}; then the release is repeated in the
     * background until the key would have expired anyway. Never empty, never fails, so it fits {@code usingWhen}: an
     * error there would replace the result of finished work.
     *
     * <p>Nothing is sent before the first subscription, and cancelling does not stop it. {@link #isAcquired()} is false
     * from the subscription on.
     */
    Mono<Boolean> release();

    /**
     * Emits the reason when the lock is lost, once, also to those who subscribe later; completes empty when it is
     * released without having been lost. The signal follows {@link #state()} as soon as a timer thread runs, at the
     * deadline and without asking Redis. That the key was deleted or taken over is known a moment after it happened
     * where the server tells of changes, else at the next renewal. Cancelling only stops listening.
     */
    Mono<LockLoss> lost();
}
