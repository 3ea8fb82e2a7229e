package io.redislock.reactor;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.reactive.RedisReactiveCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import io.redislock.testsupport.RedisServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Locks on a real server, and a raw connection beside them, for a test class. What a test opens more than that is
 * closed after it, and a server that it paused or killed goes on.
 */
final class LocksFixture implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

    private final Supplier<RedisServer> starting;
    private final boolean serverOfItsOwn;
    private final AtomicInteger keys = new AtomicInteger();
    private final Deque<Runnable> afterEach = new ArrayDeque<>();
    private final Deque<Runnable> afterAll = new ArrayDeque<>();
    private String prefix;
    private RedisServer server;
    private RedisClient client;
    private ReactiveRedisLocks locks;
    private StatefulRedisConnection<String, String> connection;

    private LocksFixture(Supplier<RedisServer> starting, boolean serverOfItsOwn) {
        this.starting = starting;
        this.serverOfItsOwn = serverOfItsOwn;
    }

    /** For tests that only use keys of their own. */
    static LocksFixture onTheSharedServer() {
        return new LocksFixture(RedisServer::shared, false);
    }

    /** For tests that change or count what a server has but once, or pause it. */
    static LocksFixture onAServerOfItsOwn(String... config) {
        return new LocksFixture(() -> RedisServer.start(config), true);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        prefix = context.getRequiredTestClass().getSimpleName() + ":";
        server = starting.get();
        afterAll.push(server::close);
        client = RedisClient.create(server.uri());
        afterAll.push(client::shutdown);
        connection = client.connect();
        locks = ReactiveRedisLocks.create(client);
        afterAll.push(() -> locks.close().block(Await.PATIENCE));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (serverOfItsOwn) {
            server.resume();
            if (!server.isRunning()) {
                server.restart();
            }
            awaitConnections();
        }
        runAll(afterEach);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        runAll(afterAll);
    }

    RedisServer server() {
        return server;
    }

    /** Starts the server again and waits for the fixture's connections: until then what they send fails at once. */
    void restartServer() {
        server.restart();
        awaitConnections();
    }

    private void awaitConnections() {
        Await.until("the raw connection is back", this::answers);
        Await.until("the locks' connection is back",
                () -> locks.query(prefix).thenReturn(true).onErrorReturn(false).block(Await.PATIENCE));
    }

    private boolean answers() {
        try {
            return redis().ping().equals("PONG");
        } catch (RedisException disconnected) {
            return false;
        }
    }

    RedisClient client() {
        return client;
    }

    ReactiveRedisLocks locks() {
        return locks;
    }

    /** The raw connection: what another client does and sees. It blocks, so it is not for use inside work. */
    RedisCommands<String, String> redis() {
        return connection.sync();
    }

    /** The same connection for use inside the work of a lock. */
    RedisReactiveCommands<String, String> reactiveRedis() {
        return connection.reactive();
    }

    /** A key that no other test uses. */
    String freshKey() {
        return prefix + keys.incrementAndGet();
    }

    /** Takes or overwrites a key as another client would. */
    void put(String key, String value, Duration life) {
        redis().set(key, value, SetArgs.Builder.px(life.toMillis()));
    }

    boolean exists(String key) {
        return redis().exists(key) == 1;
    }

    /** Further locks on the same client, closed after the test. */
    ReactiveRedisLocks locks(UnaryOperator<ReactiveRedisLocks.Builder> configuration) {
        return locks(client, configuration);
    }

    /** Further locks on this client, closed after the test. */
    ReactiveRedisLocks locks(RedisClient onClient, UnaryOperator<ReactiveRedisLocks.Builder> configuration) {
        ReactiveRedisLocks made = configuration.apply(ReactiveRedisLocks.builder(onClient)).build();
        afterEach.push(() -> made.close().block(Await.PATIENCE));
        return made;
    }

    /** A further client, shut down after the test. */
    RedisClient client(String uri, ClientOptions options) {
        return client(RedisURI.create(uri), options);
    }

    /**
     * A further client, shut down after the test.
     *
     * @param uri {@code null} for a client without an address
     */
    RedisClient client(@Nullable RedisURI uri, ClientOptions options) {
        RedisClient made = uri == null ? RedisClient.create() : RedisClient.create(uri);
        afterEach.push(made::shutdown);
        made.setOptions(options);
        return made;
    }

    /** Acquires with so short a lease that the reply may come too late on a busy machine: then once more. */
    RedisLock acquireBriefly(String key, Duration expiry) {
        return locks.acquire(key, LockOptions.defaults().expiry(expiry))
                .repeatWhenEmpty(attempts -> attempts)
                .retryWhen(Retry.indefinitely().filter(LockUnavailableException.class::isInstance))
                .block(Await.PATIENCE);
    }

    /** Lets the server know every script, so that each call is one command from now on. */
    void loadScripts() {
        String key = freshKey();
        Duration life = Await.PATIENCE;
        locks.withLock(key, lock -> lock.extend(life))
                .then(locks.take(key, "loads", life))
                .then(locks.extend(key, "loads", life))
                .then(locks.release(key, "loads"))
                .block(Await.PATIENCE);
    }

    /** Starts to count commands anew. Meant for a server of its own. */
    void resetStats() {
        redis().configResetstat();
    }

    /** How many scripts were called since: how many round trips the library made but for queries. */
    long scriptCalls() {
        return calls("eval") + calls("evalsha");
    }

    /** How often this command ran since, inside scripts too. */
    long calls(String command) {
        String line = "cmdstat_" + command + ":calls=";
        return Arrays.stream(redis().info("commandstats").split("\r?\n"))
                .filter(stat -> stat.startsWith(line))
                .mapToLong(stat -> Long.parseLong(stat.substring(line.length(), stat.indexOf(','))))
                .sum();
    }

    /**
     * Returns when what these locks have sent so far has run, and what the replies to it made them send has run too:
     * their one connection keeps the order.
     */
    static void settle(ReactiveRedisLocks locks, String unusedKey) {
        locks.query(unusedKey).then(Mono.defer(() -> locks.query(unusedKey))).block(Await.PATIENCE);
    }

    private static void runAll(Deque<Runnable> steps) {
        while (!steps.isEmpty()) {
            steps.pop().run();
        }
    }
}
