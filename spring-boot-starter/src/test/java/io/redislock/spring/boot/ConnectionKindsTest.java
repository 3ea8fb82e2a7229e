package io.redislock.spring.boot;

import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.reactor.RedisLock;
import io.redislock.testsupport.EmbeddedRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever the application is connected to Redis by, the locks are connected by the same. */
class ConnectionKindsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String key = "kinds:" + UUID.randomUUID();

    @Test
    void passwordDatabaseAndClientName() {
        try (EmbeddedRedis redis = EmbeddedRedis.start("requirepass secret")) {
            ApplicationContextRunner runner = Contexts.runner().withPropertyValues("spring.data.redis.host=127.0.0.1",
                    "spring.data.redis.port=" + redis.port(), "spring.data.redis.password=secret",
                    "spring.data.redis.database=3", "spring.data.redis.client-name=orders");

            locksAreAt("redis://:secret@127.0.0.1:" + redis.port() + "/3", "name=orders", runner);
        }
    }

    @Test
    void userOfAnAccessControlList() {
        try (EmbeddedRedis redis = EmbeddedRedis.start("user default off", "user admin on >all ~* +@all",
                "user locks on >secret ~kinds:* -@all +evalsha +eval +get +set +pttl +pexpire +del +client|tracking")) {
            ApplicationContextRunner runner = Contexts.runner().withPropertyValues(
                    "spring.data.redis.url=redis://locks:secret@127.0.0.1:" + redis.port());

            locksAreAt("redis://admin:all@127.0.0.1:" + redis.port(), "user=locks", runner);
        }
    }

    @Test
    void tls(@TempDir Path folder) throws Exception {
        Certificate certificate = Certificate.selfSigned(folder);
        int port = Certificate.freePort();
        try (EmbeddedRedis redis = EmbeddedRedis.start("tls-port " + port, "tls-cert-file " + certificate.pem(),
                "tls-key-file " + certificate.key(), "tls-ca-cert-file " + certificate.pem(), "tls-auth-clients no")) {
            ApplicationContextRunner runner = Contexts.runner().withPropertyValues("spring.data.redis.host=127.0.0.1",
                    "spring.data.redis.port=" + port, "spring.data.redis.ssl.bundle=redis",
                    "spring.ssl.bundle.pem.redis.truststore.certificate=file:" + certificate.pem());

            locksAreAt(redis.uri(), "laddr=127.0.0.1:" + port, runner);
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs Netty's native transport, which is here for Linux only")
    void unixSocket(@TempDir Path folder) {
        String socket = folder.resolve("redis.sock").toString();
        try (EmbeddedRedis redis = EmbeddedRedis.start("unixsocket " + socket)) {
            ApplicationContextRunner runner = Contexts.runner().withBean(LettuceConnectionFactory.class,
                    () -> new LettuceConnectionFactory(new RedisSocketConfiguration(socket)));

            locksAreAt(redis.uri(), "addr=" + socket, runner);
        }
    }

    @Test
    void masterBehindASentinelThatHasAPasswordOfItsOwn() {
        try (EmbeddedRedis master = EmbeddedRedis.start("requirepass data");
                EmbeddedRedis sentinel = EmbeddedRedis.start("requirepass watch",
                        "sentinel monitor main 127.0.0.1 " + master.port() + " 1", "sentinel auth-pass main data")) {
            ApplicationContextRunner runner = Contexts.runner().withPropertyValues(
                    "spring.data.redis.sentinel.master=main",
                    "spring.data.redis.sentinel.nodes=127.0.0.1:" + sentinel.port(),
                    "spring.data.redis.sentinel.password=watch", "spring.data.redis.password=data",
                    "spring.data.redis.database=2", "spring.data.redis.client-name=orders");

            locksAreAt("redis://:data@127.0.0.1:" + master.port() + "/2", "name=orders", runner);
        }
    }

    /** Holds a lock and looks there, from outside, for its key and for a connection of this kind. */
    private void locksAreAt(String uri, String connection, ApplicationContextRunner runner) {
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            RedisLock lock = context.getBean(ReactiveRedisLocks.class).acquire(key).block(PATIENCE);
            assertThat(lock).isNotNull();
            try (RedisClient outside = RedisClient.create(RedisURI.create(uri))) {
                RedisCommands<String, String> redis = outside.connect().sync();

                assertThat(redis.get(key)).isEqualTo(lock.value());
                assertThat(redis.clientList()).contains(connection);
            }
        });
    }
}
