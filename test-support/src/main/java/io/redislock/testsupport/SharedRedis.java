package io.redislock.testsupport;

import org.jspecify.annotations.Nullable;

/** The one server of a JVM, behind a view whose {@link #close()} does not take it away from the others. */
final class SharedRedis implements RedisServer {

    private static @Nullable SharedRedis instance;

    private final RedisServer server;

    private SharedRedis(RedisServer server) {
        this.server = server;
    }

    // Not a holder class: were the first start to fail, all later ones would say NoClassDefFoundError instead of why.
    static synchronized RedisServer get() {
        SharedRedis shared = instance;
        if (shared == null) {
            shared = new SharedRedis(RedisServer.start());
            instance = shared;
        }
        return shared;
    }

    @Override
    public String host() {
        return server.host();
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public String uri() {
        return server.uri();
    }

    @Override
    public String describe() {
        return server.describe();
    }

    @Override
    public void pause() {
        server.pause();
    }

    @Override
    public void resume() {
        server.resume();
    }

    @Override
    public void kill() {
        server.kill();
    }

    @Override
    public void restart() {
        server.restart();
    }

    @Override
    public boolean isRunning() {
        return server.isRunning();
    }

    @Override
    public void close() {
        // The server itself is closed by the hook that every started server has, see OpenServers.
    }
}
