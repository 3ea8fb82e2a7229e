package io.redislock.reactor.store;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.push.PushListener;
import io.lettuce.core.api.push.PushMessage;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.ProtocolVersion;
import reactor.core.scheduler.Schedulers;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Server-assisted tracking: the server remembers which keys this connection has read, and pushes a message when one of
 * them changes ("Client-side caching in Redis", redis.io). Reads inside a script count, so a busy acquisition watches
 * its key with no further command and no gap. NOLOOP: what this connection itself writes is not pushed.
 *
 * <p>The server forgets everything with the connection, and after a reconnect Lettuce sends what was buffered before
 * anything of ours. So only when tracking was switched on anew, all keys may have changed:
 * <pre>
 *   connected ---TRACKING---> OK: watching, and any key may have changed
 *             ---TRACKING---> error: not watching, until the next connection
 *             ---TRACKING---> no answer: once more
 *   disconnected: not watching
 * </pre>
 */
final class Tracking implements PushListener, RedisConnectionStateListener {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);
    private static final String INVALIDATE = "invalidate";

    private static final Logger LOG = Loggers.getLogger(Tracking.class);

    private final StatefulRedisConnection<String, String> connection;
    private final Outbox outbox;
    private final KeyWatcher watcher;
    /** The fallback is told once. */
    private boolean toldThatItPolls;
    /** Counts connections, so that what belongs to an earlier one is not taken for the current. */
    private volatile int connections;

    private Tracking(StatefulRedisConnection<String, String> connection, Outbox outbox, KeyWatcher watcher) {
        this.connection = connection;
        this.outbox = outbox;
        this.watcher = watcher;
    }

    /** Switches it on, now and after each reconnect. */
    static void start(StatefulRedisConnection<String, String> connection, Outbox outbox, KeyWatcher watcher) {
        Tracking tracking = new Tracking(connection, outbox, watcher);
        if (connection.getOptions().getConfiguredProtocolVersion() == ProtocolVersion.RESP2) {
            tracking.poll("the client is configured for RESP2");
            return;
        }
        connection.addListener((PushListener) tracking);
        connection.addListener((RedisConnectionStateListener) tracking);
        tracking.switchOn(tracking.connections);
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
        switchOn(++connections);
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
        connections++;
        watcher.watching(false);
    }

    @Override
    public void onPushMessage(PushMessage message) {
        if (!INVALIDATE.equals(message.getType())) {
            return;
        }
        List<Object> content = message.getContent(StringCodec.UTF8::decodeKey);
        if (content.size() > 1 && content.get(1) instanceof List<?> keys) {
            keys.forEach(key -> watcher.changed(String.valueOf(key)));
        } else {
            watcher.anyMayHaveChanged(); // FLUSHALL and FLUSHDB push null instead of keys
        }
    }

    private void switchOn(int forConnection) {
        if (forConnection != connections) {
            return;
        }
        if (!speaksResp3()) {
            poll("it speaks RESP2 only"); // and would say yes, and then push nothing
            return;
        }
        new StoreCall<>(outbox, StoreRequest.tracking(), reply -> reply, TIMEOUT).subscribe(answer -> {
            watcher.watching(true);
            watcher.anyMayHaveChanged();
        }, failure -> {
            if (failure.getCause() instanceof RedisCommandExecutionException) {
                poll(failure.getMessage());
            } else if (connection.isOpen()) {
                Schedulers.parallel().schedule(() -> switchOn(forConnection), AGAIN_AFTER.toMillis(),
                        TimeUnit.MILLISECONDS);
            }
        });
    }

    /** What client and server agreed on; clients try RESP3 unless they are told not to. */
    private boolean speaksResp3() {
        return !(connection instanceof StatefulRedisConnectionImpl<?, ?> known)
                || known.getConnectionState().getNegotiatedProtocolVersion() != ProtocolVersion.RESP2;
    }

    private synchronized void poll(String reason) {
        watcher.watching(false);
        if (!toldThatItPolls) {
            toldThatItPolls = true;
            LOG.info("Locks that are busy are polled for, because the server does not tell when one becomes free: {}",
                    reason);
        }
    }
}
