package io.redislock.reactor;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.redislock.LockListener;
import io.redislock.LockOptions;
import io.redislock.lease.Expiry;
import io.redislock.lease.LeaseClock;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.LockScript;
import io.redislock.protocol.OwnerTokens;
import io.redislock.reactor.store.LettuceLockStore;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Puts an instance together. */
final class LocksBuilder implements ReactiveRedisLocks.Builder {

    private final RedisClient client;
    private @Nullable RedisURI uri;
    private String keyPrefix = "";
    private LockOptions defaults = LockOptions.defaults();
    private final List<LockListener> listeners = new ArrayList<>();
    private Duration closeTimeout = Duration.ofSeconds(5);
    private Duration fencingRetention = Fencing.DEFAULT_RETENTION;
    private @Nullable Scheduler scheduler;

    LocksBuilder(RedisClient client) {
        this.client = Objects.requireNonNull(client, "client");
    }

    @Override
    public ReactiveRedisLocks.Builder uri(RedisURI uri) {
        this.uri = Objects.requireNonNull(uri, "uri");
        return this;
    }

    @Override
    public ReactiveRedisLocks.Builder keyPrefix(String prefix) {
        this.keyPrefix = LockKey.requirePrefix(Objects.requireNonNull(prefix, "keyPrefix"));
        return this;
    }

    @Override
    public ReactiveRedisLocks.Builder defaults(LockOptions options) {
        this.defaults = Objects.requireNonNull(options, "options");
        return this;
    }

    @Override
    public ReactiveRedisLocks.Builder listener(LockListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    @Override
    public ReactiveRedisLocks.Builder closeTimeout(Duration closeTimeout) {
        Objects.requireNonNull(closeTimeout, "closeTimeout");
        if (closeTimeout.isNegative()) {
            throw new IllegalArgumentException("closeTimeout must not be negative: " + closeTimeout);
        }
        Expiry.requireCountable("closeTimeout", closeTimeout);
        this.closeTimeout = closeTimeout;
        return this;
    }

    @Override
    public ReactiveRedisLocks.Builder scheduler(Scheduler scheduler) {
        this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
        return this;
    }

    @Override
    public ReactiveRedisLocks.Builder fencingRetention(Duration fencingRetention) {
        this.fencingRetention = Expiry.onTheWire("fencingRetention", fencingRetention);
        return this;
    }

    @Override
    public ReactiveRedisLocks build() {
        return new OwnConnection(client, uri).open(this::preparing);
    }

    /** With the settings of this moment, whatever is set before somebody subscribes. */
    @Override
    public Mono<ReactiveRedisLocks> connect() {
        LocksBuilder settings = new LocksBuilder(client);
        settings.keyPrefix = keyPrefix;
        settings.defaults = defaults;
        settings.listeners.addAll(listeners);
        settings.closeTimeout = closeTimeout;
        settings.fencingRetention = fencingRetention;
        settings.scheduler = scheduler;
        return new OwnConnection(client, uri).opening(settings::preparing, unwanted -> unwanted.close().subscribe(),
                scheduler);
    }

    /** What may block for a moment: reads the scripts, draws random bytes. */
    private Function<StatefulRedisConnection<String, String>, ReactiveRedisLocks> preparing() {
        LockScript.values();
        OwnerTokens tokens = new OwnerTokens(new SecureRandom());
        return connection -> locks(connection, tokens);
    }

    private ReactiveRedisLocks locks(StatefulRedisConnection<String, String> connection, OwnerTokens tokens) {
        connection.addListener(new TokenRedraw(tokens));
        LockEnvironment environment = new LockEnvironment(new LettuceLockStore(connection), tokens, LeaseClock.system(),
                scheduler == null ? new OwnConnection(client, uri).signalScheduler() : scheduler,
                new SafeListener(listeners), fencingRetention);
        return new StoreRedisLocks(environment, keyPrefix, defaults, closeTimeout);
    }
}
