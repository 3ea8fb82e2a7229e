package io.redislock.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A real {@code redis-server} 7.0.15 as a child process, without Docker. The program comes with the jar of
 * {@code org.signal:embedded-redis}, see {@link RedisBinary}; none of that library's classes are used.
 *
 * <p>Each server has its own port on 127.0.0.1 and its own temporary folder with its {@code redis.conf} and its log.
 * The same program runs as a Cluster node ({@code "cluster-enabled yes"}) and, when a line begins with
 * {@code sentinel}, as a Sentinel. What such a node writes about its neighbours survives a {@link #restart()}.
 *
 * <p>A server ends with its JVM: by a shutdown hook, and if the JVM is killed, by a {@link DeathWatch}.
 */
public final class EmbeddedRedis implements RedisServer {

    private static final String HOST = "127.0.0.1";
    private static final int PORTS_TO_TRY = 20;
    private static final Duration RESTART_WITHIN = Duration.ofSeconds(10);

    private final int port;
    private final Path folder;
    private final boolean sentinel;

    private volatile RedisProcess process;
    private boolean paused;
    private boolean closed;

    private EmbeddedRedis(int port, Path folder, boolean sentinel, RedisProcess process) {
        this.port = port;
        this.folder = folder;
        this.sentinel = sentinel;
        this.process = process;
    }

    /**
     * Starts a server and returns when it answers.
     *
     * @param config lines as in a redis.conf, for example {@code "maxmemory 10mb"}; they win over the defaults
     *     (memory only, {@code protected-mode no}), but {@code port} and {@code daemonize} are fixed
     * @throws IllegalStateException when there is no program for this platform, or the server does not come up
     */
    public static EmbeddedRedis start(String... config) {
        RedisConf conf = RedisConf.with(config);
        Path folder;
        try {
            folder = OwnerOnlyFolder.fresh("redislock-node-");
        } catch (IOException e) {
            throw new UncheckedIOException("No temporary folder for a redis-server", e);
        }
        EmbeddedRedis server = null;
        try {
            server = start(conf, folder);
            OpenServers.add(server, server::end);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not write redis.conf", e);
        } finally {
            if (server == null) {
                OwnerOnlyFolder.delete(folder);
            }
        }
    }

    private static EmbeddedRedis start(RedisConf conf, Path folder) throws IOException {
        for (int attempt = 1; ; attempt++) {
            int port = FreePort.find();
            // A memory-only replica would otherwise load the file of its last synchronisation when restarted.
            String text = conf.text("port " + port, "bind " + HOST, "rdb-del-sync-files yes");
            Files.writeString(folder.resolve("redis.conf"), text);
            try {
                return new EmbeddedRedis(
                        port, folder, conf.isSentinel(), RedisProcess.start(folder, port, conf.isSentinel()));
            } catch (RedisProcess.PortTakenException taken) {
                if (attempt == PORTS_TO_TRY) {
                    throw new IllegalStateException(PORTS_TO_TRY + " ports were all taken", taken);
                }
            }
        }
    }

    @Override
    public String host() {
        return HOST;
    }

    @Override
    public int port() {
        return port;
    }

    /** The process id of the server; after {@link #restart()} it is another. */
    public long pid() {
        return process.pid();
    }

    @Override
    public String describe() {
        return "embedded redis-" + (sentinel ? "sentinel " : "server ") + RedisBinary.VERSION
                + (isRunning() ? " (pid " + pid() + ")" : " (not running)") + " on " + HOST + ":" + port;
    }

    @Override
    public synchronized void pause() {
        requireOpen("pause");
        if (!isRunning()) {
            throw new IllegalStateException("Cannot pause " + describe());
        }
        ProcessSignal.stop(pid());
        paused = true;
    }

    @Override
    public synchronized void resume() {
        if (paused && isRunning()) {
            ProcessSignal.proceed(pid());
        }
        paused = false;
    }

    @Override
    public synchronized void kill() {
        process.kill();
        paused = false;
    }

    @Override
    public synchronized void restart() {
        requireOpen("restart");
        kill();
        // It is this port or none, and whoever has it now may be gone soon.
        if (!Poll.until(RESTART_WITHIN, this::startsAgain)) {
            throw new IllegalStateException("Another program has taken port " + port + " since the server ended");
        }
    }

    private boolean startsAgain() {
        try {
            process = RedisProcess.start(folder, port, sentinel);
            return true;
        } catch (RedisProcess.PortTakenException taken) {
            return false;
        }
    }

    @Override
    public boolean isRunning() {
        return process.isAlive();
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        OpenServers.remove(this);
        try {
            // A stopped process would not act on SIGTERM before it goes on.
            resume();
            process.stop();
        } finally {
            process.kill();
            OwnerOnlyFolder.delete(folder);
        }
    }

    /** The short way to close, for a JVM that is about to end. */
    private synchronized void end() {
        closed = true;
        process.kill();
        OwnerOnlyFolder.delete(folder);
    }

    private void requireOpen(String what) {
        if (closed) {
            throw new IllegalStateException("Cannot " + what + ", it is closed: " + describe());
        }
    }
}
