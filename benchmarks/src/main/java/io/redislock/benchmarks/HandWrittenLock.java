package io.redislock.benchmarks;

import java.security.SecureRandom;
import java.time.Duration;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.reactive.RedisReactiveCommands;
import io.lettuce.core.codec.StringCodec;
import io.redislock.protocol.LockScript;
import io.redislock.protocol.OwnerTokens;
import reactor.core.publisher.Mono;

/**
 * The commands of a lock on one connection of Lettuce, without anything around them: no retries, no timeouts, no care
 * for cancelling. The scripts and the owner values are those of this library, so that what is compared is the rest.
 */
final class HandWrittenLock implements AutoCloseable {

    private static final long ACQUIRED = -3;
    private static final long RELEASED = 1;

    private final OwnerTokens tokens = new OwnerTokens(new SecureRandom());
    private final RedisClient client;
    private final RedisReactiveCommands<String, String> commands;
    private final String leaseMillis;

    HandWrittenLock(RedisURI redis, Duration lease) {
        this.leaseMillis = Long.toString(lease.toMillis());
        this.client = RedisClient.create(redis);
        StatefulRedisConnection<String, String> connection = client.connect(StringCodec.UTF8);
        this.commands = connection.reactive();
        connection.sync().scriptLoad(LockScript.ACQUIRE.source());
        connection.sync().scriptLoad(LockScript.RELEASE.source());
    }

    RedisReactiveCommands<String, String> commands() {
        return commands;
    }

    String token() {
        return tokens.next().value();
    }

    /** Whether the key was free. Sent when this is called and the result subscribed to. */
    Mono<Boolean> acquire(String key, String token) {
        return commands.<Long>evalsha(
                        LockScript.ACQUIRE.sha1(), ScriptOutputType.INTEGER, new String[] {key}, token, leaseMillis)
                .next()
                .map(reply -> reply == ACQUIRED);
    }

    /** Whether the key was ours. */
    Mono<Boolean> release(String key, String token) {
        return commands.<Long>evalsha(LockScript.RELEASE.sha1(), ScriptOutputType.INTEGER, new String[] {key}, token)
                .next()
                .map(reply -> reply == RELEASED);
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
