package io.redislock.reactor.store;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.redislock.testsupport.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class LettuceLockStoreTest extends LockStoreContract {

    private static RedisClient client;
    private static LockStore store;
    private static StatefulRedisConnection<String, String> connection;

    @BeforeAll
    static void connect() {
        client = RedisClient.create(RedisServer.shared().uri());
        connection = client.connect();
        store = new LettuceLockStore(client.connect(StringCodec.UTF8));
    }

    @AfterAll
    static void disconnect() {
        store.close().block();
        client.shutdown();
    }

    @Override
    LockStore store() {
        return store;
    }

    @Override
    String raw(String anyKey) {
        return connection.sync().get(anyKey);
    }
}
