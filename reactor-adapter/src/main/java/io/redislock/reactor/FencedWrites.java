package io.redislock.reactor;

import java.util.Objects;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import reactor.core.publisher.Mono;

/**
 * Writes to Redis that carry a fencing token, and that Redis refuses when a later holder of the lock has written
 * before. One instance serves a whole application; it is safe for concurrent use and owns one connection.
 *
 * <pre>{@code
 * locks.withLock("report", fenced, lock -> compute()
 *         .flatMap(report -> writes.set("report:latest", report, lock.fencingToken().getAsLong())));
 * }</pre>
 *
 * <p>A lease runs out while its holder is paused, and the holder cannot know; so the destination must decide, in the
 * same step as it writes:
 * <pre>
 *   A  lock, token 33 ---- paused ------------------------ set(.., 33) --> false, nothing written
 *   B                      lock, token 34 -- set(.., 34) --> true
 * </pre>
 * Next to each destination a key without expiry keeps the greatest token that was accepted for it; what Redis loses of
 * its data, by eviction or failover, is not refused any more. A write with that token or a greater one is accepted: the
 * holder of a lock may write more than once. All tokens for one destination must come from one lock key, because only
 * those are comparable; and every write to the destination must come this way, because Redis does not refuse a plain
 * {@code SET}. The destination is another key than the lock's; its own is refused.
 *
 * <p>Tokens order holders, not the writes of one holder: when the connection broke in between, a copy of an earlier
 * write may arrive after a later one that has the same token. Where that matters, write once for each token.
 *
 * <p>Nothing is sent before a subscription, and each subscription is a new write. Cancelling withdraws a write that was
 * not sent yet; otherwise it only stops listening, and the write is done. A write that fails with
 * {@link io.redislock.LockUnavailableException} may have been done where
 * {@link io.redislock.LockUnavailableException#outcomeUnknown()} says so; the same write may be repeated with its
 * token.
 *
 * <p>Replies arrive on Lettuce's event loop, as those of {@link ReactiveRedisLocks} do.
 */
public interface FencedWrites {

    /**
     * Writes to the Redis that the client was made for. Connects now and blocks for it, so call it at start-up;
     * {@link #connect(RedisClient, RedisURI)} is the same without.
     *
     * @param client stays the caller's
     * @throws IllegalArgumentException when the client's auto-reconnect is switched off
     * @throws io.lettuce.core.RedisConnectionException when Redis cannot be reached
     */
    static FencedWrites create(RedisClient client) {
        return StoreFencedWrites.on(new OwnConnection(client, null));
    }

    /**
     * Writes to the Redis at this address, connected when the {@code Mono} is subscribed to, without blocking. Fails as
     * {@link #create} does. Cancelling closes a connection that was under way.
     */
    static Mono<FencedWrites> connect(RedisClient client, RedisURI uri) {
        Objects.requireNonNull(uri, "uri");
        return StoreFencedWrites.connecting(new OwnConnection(client, uri));
    }

    /**
     * Sets the key, whatever it held, and removes an expiry that it had.
     *
     * <p>Emits true when done, false when a greater token was accepted for this key before; nothing is changed then.
     * Never empty. Fails with {@link io.redislock.LockUnavailableException} when Redis did not answer within 2 seconds,
     * or answered with an error.
     *
     * @param key as that of a lock
     * @param value may be empty
     * @param token from {@link RedisLock#fencingToken()}
     */
    Mono<Boolean> set(String key, String value, long token);

    /** As {@link #set}, but deletes the key; true also when there was none. */
    Mono<Boolean> delete(String key, long token);

    /** Closes the connection; completes when that is done. Writes in flight and later ones fail. Idempotent. */
    Mono<Void> close();
}
