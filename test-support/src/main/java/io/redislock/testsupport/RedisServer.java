package io.redislock.testsupport;

/**
 * A Redis server that a test or an example started, or was given.
 *
 * <p>Methods block, with bounds, until what they say is done, and may be called from any thread that may block. When
 * a server does not come up or a signal cannot be sent they throw an {@link IllegalStateException} with the server's
 * own words.
 */
public interface RedisServer extends AutoCloseable {

    /** The host or address clients connect to. */
    String host();

    /** The port clients connect to. It stays the same over {@link #kill()} and {@link #restart()}. */
    int port();

    /** The URI for a client, {@code redis://host:port}. A server that was given by URI returns it as given. */
    default String uri() {
        return "redis://" + host() + ":" + port();
    }

    /** What this server is, for messages: {@code embedded redis-server 7.0.15 (pid 123) on 127.0.0.1:4567}. */
    String describe();

    /**
     * Freezes the server: it still accepts TCP connections (the kernel does), but answers nothing, and its clock for
     * expiring keys does not act until {@link #resume()}. Freezing twice is the same as once.
     */
    void pause();

    /** Lets a paused server go on. What was sent to it meanwhile runs now. Does nothing to any other server. */
    void resume();

    /** Ends the server at once, paused or not, without a chance to say goodbye. The port is kept for a restart. */
    void kill();

    /**
     * Starts the server again on the same port, whether it was killed, paused or running. The data is gone, unless
     * the configuration given at its start asks Redis to keep it.
     */
    void restart();

    /** Whether the server's process lives. A paused server runs. */
    boolean isRunning();

    /**
     * Ends the server, a paused one too, and removes what it left on disk. Closing twice is the same as once. A server
     * that was given by URI, or that is shared, goes on running.
     */
    @Override
    void close();

    /**
     * Starts a server of the kind the system property {@code redislock.redis} names: {@code docker}, {@code embedded}
     * or a {@code redis://} URI. Unset or empty means Docker where an engine answers, else embedded.
     *
     * @param config lines as in a redis.conf, for example {@code "maxmemory 10mb"}
     * @throws UnsupportedOperationException when the property is a URI and there is configuration to apply
     */
    static RedisServer start(String... config) {
        return RedisChoice.ofThisJvm().start(config);
    }

    /**
     * The server that all tests of this JVM share, of the same kind as {@link #start} would start. It is started on
     * first use and ends with the JVM; {@link #close()} leaves it running. A test that pauses or kills a server
     * should start its own.
     */
    static RedisServer shared() {
        return SharedRedis.get();
    }
}
