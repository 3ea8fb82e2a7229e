package io.redislock.testsupport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;

/**
 * One client connection of a {@link FaultProxy} and its own connection to the server behind ("upstream").
 *
 * <p>All state is confined to the event loop of the client connection: what comes from the server, from timers and
 * from the switches is handed over to it. That keeps the order and needs no lock.
 *
 * <p>When the client leaves, what it sent still reaches the server, then the server sees the end of the stream, as on
 * a real network. When the server leaves, the client gets what the server said, then the end.
 */
final class Relay {

    private final Faults faults;
    private final Consumer<Relay> whenGone;
    private final Channel client;
    private final EventLoop loop;
    private final Lane requests;
    private final Lane replies;

    private @Nullable Channel upstream;
    private boolean upstreamGone;
    private boolean clientGone;
    private boolean closed;
    private @Nullable Duration orphanFor;
    private boolean orphaned;

    Relay(Faults faults, Connection client, Consumer<Relay> whenGone) {
        this.faults = faults;
        this.whenGone = whenGone;
        this.client = client.channel();
        this.loop = this.client.eventLoop();
        this.requests = new Lane(loop, faults::blackhole, faults::requestDelay);
        this.replies = new Lane(loop, faults::blackhole, faults::replyDelay);
    }

    /** Begins to relay. Called on the event loop of the client connection. */
    void start(Connection connection, Mono<? extends Connection> toServer) {
        replies.leadsTo(client, Channel::close);
        // A reset by the peer arrives as an error here and as the end below; the end says enough.
        connection.inbound().receive().retain().subscribe(this::onRequest, reset -> {});
        client.closeFuture().addListener(end -> loop.execute(this::onClientGone));
        toServer.subscribe(
                server -> loop.execute(() -> onConnected(server)), refused -> loop.execute(this::onUpstreamGone));
    }

    EventLoop loop() {
        return loop;
    }

    /** Whether the client is still connected. May be asked from any thread. */
    boolean isOpen() {
        return client.isActive();
    }

    private void onRequest(ByteBuf bytes) {
        requests.arrived(bytes);
        if (orphanFor != null) {
            // Not at once: the rest of a long command may be next in this turn of the event loop.
            loop.execute(this::orphan);
        }
    }

    private void onConnected(Connection server) {
        upstream = server.channel();
        if (closed) {
            upstream.close();
        }
        // Both come from the server's event loop, in order, and are handed over in that order.
        server.inbound().receive().retain().subscribe(bytes -> loop.execute(() -> onReply(bytes)), reset -> {});
        upstream.closeFuture().addListener(end -> loop.execute(this::onUpstreamGone));
        requests.leadsTo(upstream, Relay::sayEnd);
    }

    // Only this half, behind all that was written: were the whole connection closed while replies are on their way,
    // a reset could overtake the requests, and the server would drop them unread.
    private static void sayEnd(Channel server) {
        server.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> ((DuplexChannel) server).shutdownOutput());
    }

    private void onReply(ByteBuf bytes) {
        Faults.LostReplies lost = clientGone ? null : faults.lostRepliesOf(this);
        if (lost != null) {
            bytes.release();
            if (lost.countDown()) {
                faults.forget(lost);
                cut();
            }
        } else if (clientGone) {
            bytes.release();
        } else {
            replies.arrived(bytes);
        }
    }

    private void onClientGone() {
        clientGone = true;
        replies.discard();
        faults.forgetLostRepliesOf(this);
        requests.ended();
        if (orphanFor != null) {
            orphan();
        }
        goneIfBothAre();
    }

    private void onUpstreamGone() {
        upstreamGone = true;
        requests.discard();
        replies.ended();
        goneIfBothAre();
    }

    private void goneIfBothAre() {
        if (clientGone && upstreamGone) {
            requests.discard();
            replies.discard();
            whenGone.accept(this);
        }
    }

    /** Looks again at what is held, after a switch has changed. */
    void drain() {
        requests.drain();
        replies.drain();
    }

    /** Closes both sides and drops what is held, unless this connection is, or becomes, an orphan. */
    void cut() {
        if (orphaned) {
            return;
        }
        if (orphanFor != null) {
            orphan();
        } else {
            close();
        }
    }

    /** From its next request on, or now if one is held, this connection's requests arrive late and without it. */
    void orphanWithin(Duration later) {
        if (orphaned || clientGone) {
            return;
        }
        orphanFor = later;
        if (requests.isHolding()) {
            orphan();
        } else {
            requests.shut();
        }
    }

    private void orphan() {
        Duration later = orphanFor;
        if (later == null || orphaned) {
            return;
        }
        orphaned = true;
        requests.openIn(later);
        client.close();
    }

    /** Ends the special role of an orphan: nothing held by it is to arrive any more. */
    void disown() {
        orphanFor = null;
        if (orphaned) {
            close();
        } else {
            requests.open();
        }
    }

    /** Closes both sides and drops what is held. */
    void close() {
        closed = true;
        requests.discard();
        replies.discard();
        client.close();
        if (upstream != null) {
            upstream.close();
        }
    }
}
