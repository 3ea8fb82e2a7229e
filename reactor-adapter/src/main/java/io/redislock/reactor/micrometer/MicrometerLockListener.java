package io.redislock.reactor.micrometer;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.micrometer.core.instrument.MeterRegistry;
import io.redislock.LockListener;
import io.redislock.LockLoss;
import io.redislock.LockUnavailableException;

/**
 * Counts and times what happens to locks, in the meters of a registry. Give it to
 * {@link io.redislock.reactor.ReactiveRedisLocks.Builder#listener}.
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>name</th><th>type</th><th>tags beside {@code lock}</th></tr>
 * <tr><td>{@code redislock.acquire}</td><td>timer</td>
 *     <td>{@code outcome}: acquired, not_acquired, unavailable, abandoned</td></tr>
 * <tr><td>{@code redislock.hold}</td><td>timer</td><td>{@code outcome}: released, lost</td></tr>
 * <tr><td>{@code redislock.held}</td><td>gauge</td><td></td></tr>
 * <tr><td>{@code redislock.waiting}</td><td>gauge</td><td></td></tr>
 * <tr><td>{@code redislock.renewals}</td><td>counter</td><td>{@code outcome}: extended, suspect</td></tr>
 * <tr><td>{@code redislock.losses}</td><td>counter</td>
 *     <td>{@code reason}: expired, deleted, taken_over, max_hold_reached, closed</td></tr>
 * <tr><td>{@code redislock.release.failures}</td><td>counter</td><td></td></tr>
 * </table>
 *
 * <p>The tag {@code lock} is {@link io.redislock.LockOptions#name(String)}, never the key: keys are without number.
 * All meters of a name are registered at its first event, because a counter that first appears when something was lost
 * hides that loss from whoever looks at its increase.
 *
 * <p>One registry may serve several of these, for locks on several servers: meters of the same name then show the sum.
 */
public final class MicrometerLockListener implements LockListener {

    private final MeterRegistry registry;
    private final ConcurrentMap<String, LockMeters> byName = new ConcurrentHashMap<>();

    /**
     * @param registry where meters are registered, stays the caller's
     */
    public MicrometerLockListener(MeterRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "registry");
    }

    @Override
    public void acquired(String name, String key, Duration waited, long attempts) {
        meters(name).acquired(waited);
    }

    @Override
    public void waiting(String name, String key) {
        meters(name).waiting();
    }

    @Override
    public void waitEnded(String name, String key) {
        meters(name).waitEnded();
    }

    @Override
    public void notAcquired(String name, String key, Duration waited, long attempts) {
        meters(name).notAcquired(waited);
    }

    @Override
    public void unavailable(String name, String key, Duration waited, LockUnavailableException failure) {
        meters(name).unavailable(waited);
    }

    @Override
    public void abandoned(String name, String key, Duration waited) {
        meters(name).abandoned(waited);
    }

    @Override
    public void extended(String name, String key) {
        meters(name).extended();
    }

    @Override
    public void suspect(String name, String key) {
        meters(name).suspect();
    }

    @Override
    public void lost(String name, String key, LockLoss reason, Duration heldFor) {
        meters(name).lost(reason, heldFor);
    }

    @Override
    public void released(String name, String key, Duration heldFor) {
        meters(name).released(heldFor);
    }

    @Override
    public void releaseFailed(String name, String key) {
        meters(name).releaseFailed();
    }

    private LockMeters meters(String name) {
        LockMeters known = byName.get(name);
        // computeIfAbsent alone would make a lambda, and may lock, at every event.
        return known != null ? known : byName.computeIfAbsent(name, first -> new LockMeters(registry, first));
    }
}
