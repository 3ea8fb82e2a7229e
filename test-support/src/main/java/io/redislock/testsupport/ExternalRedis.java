package io.redislock.testsupport;

import java.net.URI;

/**
 * A Redis server that somebody else runs. It can be used, but not paused, killed or restarted, and closing leaves it
 * as it is.
 */
public final class ExternalRedis implements RedisServer {

    private static final int DEFAULT_PORT = 6379;

    private final URI uri;

    private ExternalRedis(URI uri) {
        this.uri = uri;
    }

    /**
     * The server at a {@code redis://} or {@code rediss://} URI. Nothing connects to it here.
     *
     * @throws IllegalArgumentException when it is another URI, or names no host
     */
    public static ExternalRedis at(String uri) {
        URI parsed = URI.create(uri);
        boolean redis = "redis".equals(parsed.getScheme()) || "rediss".equals(parsed.getScheme());
        if (!redis || parsed.getHost() == null) {
            throw new IllegalArgumentException("Not of the form redis://host:port: " + uri);
        }
        return new ExternalRedis(parsed);
    }

    @Override
    public String host() {
        return uri.getHost();
    }

    @Override
    public int port() {
        return uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
    }

    @Override
    public String uri() {
        return uri.toString();
    }

    /** Says where the server is. A password in the URI is left out. */
    @Override
    public String describe() {
        return "external Redis on " + host() + ":" + port();
    }

    @Override
    public void pause() {
        throw notOurs("paused");
    }

    @Override
    public void resume() {
        throw notOurs("resumed");
    }

    @Override
    public void kill() {
        throw notOurs("killed");
    }

    @Override
    public void restart() {
        throw notOurs("restarted");
    }

    /** Whether it answers a {@code PING} now. Over {@code rediss://}, whether it accepts a connection. */
    @Override
    public boolean isRunning() {
        return uri.getScheme().equals("redis")
                ? RedisPing.isReady(host(), port())
                : RedisPing.isListening(host(), port());
    }

    @Override
    public void close() {
        // It was running before, and others may use it.
    }

    private UnsupportedOperationException notOurs(String what) {
        return new UnsupportedOperationException("The " + describe() + " was not started by this JVM and cannot be "
                + what + "; run with -D" + RedisChoice.PROPERTY + "=docker or =embedded for this test");
    }
}
