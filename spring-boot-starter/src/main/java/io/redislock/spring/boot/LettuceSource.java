package io.redislock.spring.boot;

import java.util.stream.Collectors;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The Redis that the application is connected to: the client of Spring's connection factory. That client knows its
 * address with everything that belongs to it, credentials, database, TLS and Sentinels, so nothing is configured twice.
 */
final class LettuceSource {

    private final LettuceConnectionFactory factory;

    /**
     * @throws LocksNotStartedException when it is another client's, or a Cluster's
     */
    LettuceSource(RedisConnectionFactory factory) {
        if (!(factory instanceof LettuceConnectionFactory lettuce)) {
            throw new LocksNotStartedException(
                    "The locks of reactive-redis-lock need a LettuceConnectionFactory, but the connection factory is a "
                            + factory.getClass().getName() + ".",
                    "Use Lettuce, define a ReactiveRedisLocks bean of your own, or set redislock.enabled=false.", null);
        }
        if (lettuce.isClusterAware()) {
            throw new LocksNotStartedException(
                    "The locks of reactive-redis-lock do not work on Redis Cluster yet, and the Redis connection of "
                            + "this application is one to a Cluster.",
                    "Define a ReactiveRedisLocks bean of your own, on a Redis that is not part of a Cluster, or set "
                            + "redislock.enabled=false.", null);
        }
        this.factory = lettuce;
    }

    /**
     * The client of this moment: a connection factory that was stopped and started again has another. Starts one that
     * was not started yet; that opens no connection.
     */
    RedisClient client() {
        if (!factory.isRunning()) {
            factory.start();
        }
        AbstractRedisClient client = factory.getRequiredNativeClient();
        return (RedisClient) client;
    }

    /** The connection factory's place among what is started and stopped. */
    int phase() {
        return factory.getPhase();
    }

    /** Where it is, for messages. Tells no credentials. */
    String describe() {
        RedisSentinelConfiguration sentinels = factory.getSentinelConfiguration();
        if (sentinels != null) {
            return sentinels.getSentinels().stream().map(Object::toString)
                    .collect(Collectors.joining(", ", "the master that the Sentinels at ", " know"));
        }
        RedisSocketConfiguration socket = factory.getSocketConfiguration();
        return socket != null ? socket.getSocket() : factory.getHostName() + ":" + factory.getPort();
    }
}
