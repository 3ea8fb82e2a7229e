package io.redislock.testsupport;

import io.netty.channel.Channel;
import io.netty.channel.FixedRecvByteBufAllocator;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.NettyInbound;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpClient;
import reactor.netty.tcp.TcpServer;

/**
 * A network between a client and a server that fails on command: a TCP relay on 127.0.0.1 with switches.
 *
 * <p>A <em>chunk</em> below is what one read from a socket gave, at most 64 KiB. For a client that sends one command
 * and waits, it is one command or one reply. Within a direction, order is kept whatever the switches say; the end of a
 * connection waits its turn behind the bytes before it, too.
 *
 * <p>The switches may be thrown from any thread. When a method returns, the connections have taken notice of it. Only
 * on a thread that must not block (an event loop, a parallel scheduler) does it return before they have.
 *
 * <p>The proxy accepts connections also when the server behind does not; it closes them as soon as it knows.
 */
public final class FaultProxy implements AutoCloseable {

    private static final String HOST = "127.0.0.1";
    private static final Duration BOUND = Duration.ofSeconds(10);

    private static final int CHUNK = 64 * 1024;

    // The same for all proxies of a JVM, with daemon threads, and apart from those of the client under test.
    private static final LoopResources LOOPS = LoopResources.create("fault-proxy", 2, true);

    private final Faults faults = new Faults();
    private final Set<Relay> relays = ConcurrentHashMap.newKeySet();
    private final AtomicLong accepted = new AtomicLong();
    private final URI server;
    private final TcpClient toServer;
    private final DisposableServer listener;

    private volatile boolean closed;

    private FaultProxy(URI server, String host, int port) {
        this.server = server;
        // Plain NIO everywhere, so that all platforms behave alike.
        toServer = TcpClient.newConnection()
                .host(host)
                .port(port)
                .runOn(LOOPS, false)
                .doOnChannelInit((observer, channel, remote) -> readWholeChunks(channel));
        listener = TcpServer.create()
                .host(HOST)
                .port(0)
                .runOn(LOOPS, false)
                .doOnChannelInit((observer, channel, remote) -> readWholeChunks(channel))
                .handle((in, out) -> relay(in))
                .bindNow(BOUND);
    }

    /** A proxy in front of this server. */
    public static FaultProxy to(RedisServer server) {
        return new FaultProxy(URI.create(server.uri()), server.host(), server.port());
    }

    /** A proxy in front of whatever listens there. */
    public static FaultProxy to(String host, int port) {
        return new FaultProxy(URI.create("redis://" + host + ":" + port), host, port);
    }

    /** The address to connect to, 127.0.0.1. */
    public String host() {
        return HOST;
    }

    /** The port to connect to. */
    public int port() {
        return ((InetSocketAddress) listener.address()).getPort();
    }

    /** The server's URI with the proxy's address, so with its password and database if it has them. */
    public String uri() {
        try {
            return new URI(server.getScheme(), server.getUserInfo(), HOST, port(),
                    server.getPath(), server.getQuery(), null).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("From a valid URI comes a valid one", e);
        }
    }

    /** How many clients are connected now. */
    public int connections() {
        return (int) relays.stream().filter(Relay::isOpen).count();
    }

    /** How many connections were relayed since the start. Refused ones do not count. */
    public long accepted() {
        return accepted.get();
    }

    /**
     * Closes every current client connection and its connection to the server at once. What is held is lost, except
     * the requests that {@link #orphanRequests} is to deliver late.
     */
    public void cut() {
        onEach(Relay::cut);
    }

    /** Whether new connections are closed at once, without reaching the server. Existing ones stay. */
    public void refuse(boolean refuse) {
        faults.refusing(refuse);
    }

    /**
     * Holds each chunk from client to server for so long. It holds for what is under way already, too: a shorter delay
     * lets it pass earlier, and {@link Duration#ZERO} at once.
     */
    public void delayRequests(Duration delay) {
        faults.requestDelay(delay);
        onEach(Relay::drain);
    }

    /** As {@link #delayRequests}, for the direction from server to client. */
    public void delayReplies(Duration delay) {
        faults.replyDelay(delay);
        onEach(Relay::drain);
    }

    /**
     * While on, nothing passes in either direction, and neither side hears of the end of the other. When off, all that
     * was held is delivered in order. New connections are accepted and held likewise.
     */
    public void blackhole(boolean on) {
        faults.blackhole(on);
        onEach(Relay::drain);
    }

    /**
     * Lets requests pass, discards the next chunks from the server and at the last of them cuts that connection: the
     * commands ran, their replies are lost. Happens once, to the first connection that gets a reply; the others go on.
     *
     * @param replies how many chunks to discard, the last one being that of the cut; 0 takes the order back
     */
    public void cutOnNextReply(int replies) {
        faults.loseReplies(replies);
    }

    /**
     * Makes late copies. The requests of the connections that are open now are held from here on. As soon as such a
     * connection has a request held, or at {@link #cut()}, its client side is closed, while that to the server stays
     * open; so much later the held requests arrive at the server over it. Their replies go nowhere. Connections opened
     * after this call pass normally.
     */
    public void orphanRequests(Duration later) {
        onEach(relay -> relay.orphanWithin(later));
    }

    /**
     * Back to a clean relay: all switches off. What delays and the black hole held is delivered; requests that
     * {@link #orphanRequests} has still to deliver are dropped, so nothing of before arrives after this.
     */
    public void reset() {
        faults.reset();
        onEach(relay -> {
            relay.disown();
            relay.drain();
        });
    }

    /** Stops listening and closes all connections, orphaned ones too. Closing twice is the same as once. */
    @Override
    public void close() {
        closed = true;
        if (Schedulers.isInNonBlockingThread()) {
            listener.dispose();
        } else {
            listener.disposeNow(BOUND);
        }
        onEach(Relay::close);
    }

    // One read shall hold what the peer wrote at once. The default begins at 2 KiB, less than a script with its
    // arguments: an orphaned request would be torn in the middle. (Not by ChannelOption: Netty 4.2 renamed that one.)
    private static void readWholeChunks(Channel channel) {
        channel.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(CHUNK));
    }

    private Publisher<Void> relay(NettyInbound in) {
        in.withConnection(client -> {
            if (faults.refusing() || closed) {
                client.channel().close();
                return;
            }
            Relay relay = new Relay(faults, client, relays::remove);
            relays.add(relay);
            accepted.incrementAndGet();
            relay.start(client, toServer.connect());
            if (closed) {
                relay.close();   // close() may have looked for connections before this one was among them
            }
        });
        // The connection is closed by the relay, not by the end of this.
        return Mono.never();
    }

    private void onEach(Consumer<Relay> action) {
        List<Future<?>> done = new ArrayList<>();
        for (Relay relay : relays) {
            done.add(relay.loop().submit(() -> action.accept(relay)));
        }
        if (Schedulers.isInNonBlockingThread()) {
            return;
        }
        try {
            for (Future<?> each : done) {
                each.get(BOUND.toSeconds(), TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a switch was being thrown", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("A connection did not follow a switch", e);
        }
    }
}
