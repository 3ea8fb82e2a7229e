package io.redislock.spring.boot;

import java.time.Duration;
import java.util.function.BiFunction;

import io.redislock.LockOptions;
import io.redislock.reactor.ReactiveRedisLocks;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * What can be set under {@code redislock}. Whatever is not set is as the library has it: its defaults are in
 * {@code additional-spring-configuration-metadata.json} for editors, and a test compares the two.
 *
 * @param enabled Whether there is a ReactiveRedisLocks bean.
 * @param failFast Whether the application fails to start when Redis cannot be reached. Otherwise it starts, and locks
 * are unavailable until Redis is reached.
 * @param keyPrefix Put before every key on the server.
 * @param closeTimeout How long closing waits for what is under way when the application stops.
 * @param name Name of locks in metrics: the value of their tag "lock".
 * @param expiry How long a key lives on the server unless it is extended or released.
 * @param maxRetries How often a busy lock is asked for again. With wait-at-most, unbounded unless set.
 * @param retryDelay First delay between attempts. Delays double.
 * @param maxRetryDelay Cap of the doubling.
 * @param jitter Share of a delay, from 0 to 1, by which it is moved at random.
 * @param waitAtMost Bound on the whole wait for a busy lock.
 * @param commandTimeout How long Redis may take to answer one command. Never more than the expiry.
 * @param autoRenew Renews leases while they are held, at a third of the expiry, for this long at most.
 * @param fenced Whether each acquisition mints a fencing token.
 * @param fencingRetention How long the last fencing token of a key is kept, at least.
 */
@ConfigurationProperties("redislock")
record RedisLockProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("true") boolean failFast,
        @Nullable String keyPrefix,
        @Nullable Duration closeTimeout,
        @Nullable String name,
        @Nullable Duration expiry,
        @Nullable Long maxRetries,
        @Nullable Duration retryDelay,
        @Nullable Duration maxRetryDelay,
        @Nullable Double jitter,
        @Nullable Duration waitAtMost,
        @Nullable Duration commandTimeout,
        @Nullable Duration autoRenew,
        @DefaultValue("false") boolean fenced,
        @Nullable Duration fencingRetention) {

    /**
     * Sets all of it on a builder.
     *
     * @throws InvalidConfigurationPropertyValueException for a value that the library refuses; names the property
     */
    void applyTo(ReactiveRedisLocks.Builder builder) {
        with(builder, "key-prefix", keyPrefix, ReactiveRedisLocks.Builder::keyPrefix);
        with(builder, "close-timeout", closeTimeout, ReactiveRedisLocks.Builder::closeTimeout);
        with(builder, "fencing-retention", fencingRetention, ReactiveRedisLocks.Builder::fencingRetention);
        builder.defaults(lockOptions());
    }

    /**
     * The options of calls that bring none.
     *
     * @throws InvalidConfigurationPropertyValueException for a value that the library refuses; names the property
     */
    LockOptions lockOptions() {
        LockOptions options = LockOptions.defaults();
        options = with(options, "name", name, LockOptions::name);
        options = with(options, "expiry", expiry, LockOptions::expiry);
        options = with(options, "max-retry-delay", maxRetryDelay, LockOptions::maxRetryDelay);
        options = with(options, "jitter", jitter, LockOptions::jitter);
        options = with(options, "wait-at-most", waitAtMost, LockOptions::waitAtMost);
        options = with(options, "command-timeout", commandTimeout, LockOptions::commandTimeout);
        options = with(options, "auto-renew", autoRenew, LockOptions::autoRenew);
        // One option of two values: each is set beside what the other is by then, "unbounded" after wait-at-most.
        options = with(options, "max-retries", maxRetries, (so, retries) -> so.retry(retries, so.retryDelay()));
        options = with(options, "retry-delay", retryDelay, (so, delay) -> so.retry(so.maxRetries(), delay));
        return fenced ? options.fenced() : options;
    }

    private static <S, T> S with(S soFar, String property, @Nullable T value, BiFunction<S, T, S> setter) {
        if (value == null) {
            return soFar;
        }
        try {
            return setter.apply(soFar, value);
        } catch (IllegalArgumentException refused) {
            throw new InvalidConfigurationPropertyValueException("redislock." + property, value,
                    String.valueOf(refused.getMessage()));
        }
    }
}
