package io.redislock.spring.boot;

import java.util.List;

import io.lettuce.core.RedisClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.redislock.LockListener;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.reactor.micrometer.MicrometerLockListener;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Makes a {@link ReactiveRedisLocks} bean on the Redis that the application is connected to by Lettuce, unless there is
 * one.
 *
 * <p>Told to the application's {@link LockListener} beans, in their order, what happens to locks, and to
 * Micrometer where there is a meter registry. It is closed with the context.
 */
@AutoConfiguration(afterName = {
    "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration", // since Boot 4
    "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
    "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration", // before
    "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
})
@ConditionalOnClass({LettuceConnectionFactory.class, RedisClient.class})
@ConditionalOnBooleanProperty(name = "redislock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RedisLockProperties.class)
public class RedisLockAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(value = ReactiveRedisLocks.class,
            type = "org.springframework.data.redis.connection.jedis.JedisConnectionFactory")
    @ConditionalOnSingleCandidate(RedisConnectionFactory.class)
    ReactiveRedisLocks reactiveRedisLocks(RedisConnectionFactory connectionFactory, RedisLockProperties properties,
            ObjectProvider<LockListener> lockListeners) {
        LettuceSource redis = new LettuceSource(connectionFactory);
        List<LockListener> listeners = lockListeners.orderedStream().toList();
        LocksConnection connection = new LocksConnection(redis, () -> {
            ReactiveRedisLocks.Builder builder = ReactiveRedisLocks.builder(redis.client());
            properties.applyTo(builder);
            listeners.forEach(builder::listener);
            return builder;
        }, properties.failFast());
        return new SpringRedisLocks(connection, redis.phase(), properties.lockOptions(), listeners);
    }

    /** Else the first request would connect, and block an event loop for it; and nothing would fail at start-up. */
    @Bean
    static LazyInitializationExcludeFilter redisLockLazyInitializationExcludeFilter() {
        return LazyInitializationExcludeFilter.forBeanTypes(ReactiveRedisLocks.class);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Metrics {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnSingleCandidate(MeterRegistry.class)
        MicrometerLockListener micrometerLockListener(MeterRegistry registry) {
            return new MicrometerLockListener(registry);
        }
    }
}
