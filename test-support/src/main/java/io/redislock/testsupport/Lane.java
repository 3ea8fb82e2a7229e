package io.redislock.testsupport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a relayed connection: a queue of chunks, passed on in the order they came, each when its time has
 * come and the way is open. The end of the sender is the last entry, so it overtakes nothing either.
 *
 * <p>All of it runs on one event loop. Held chunks are not bounded: this is for tests, which send little.
 */
final class Lane {

    private final EventLoop loop;
    private final BooleanSupplier blocked;
    private final Supplier<Duration> delay;
    private final Queue<Chunk> chunks = new ArrayDeque<>();

    private @Nullable Channel target;
    private @Nullable Consumer<Channel> onEnd;
    private boolean shut;
    private @Nullable Long notBefore;
    private @Nullable ScheduledFuture<?> wakeUp;

    Lane(EventLoop loop, BooleanSupplier blocked, Supplier<Duration> delay) {
        this.loop = loop;
        this.blocked = blocked;
        this.delay = delay;
    }

    /** Bytes that arrived, or without them the end. */
    private record Chunk(@Nullable ByteBuf bytes, long arrival) {}

    /** Where the chunks go, and what to do to that channel at their end. Until this is called, they wait. */
    void leadsTo(Channel channel, Consumer<Channel> atTheEnd) {
        target = channel;
        onEnd = atTheEnd;
        drain();
    }

    /** Takes over the reference to the bytes. */
    void arrived(ByteBuf bytes) {
        chunks.add(new Chunk(bytes, System.nanoTime()));
        drain();
    }

    void ended() {
        chunks.add(new Chunk(null, System.nanoTime()));
        drain();
    }

    /** Whether bytes, or the end, wait here. */
    boolean isHolding() {
        return !chunks.isEmpty();
    }

    /** Lets nothing pass, whatever the switches say, until {@link #openIn} or {@link #open}. */
    void shut() {
        shut = true;
    }

    /** Ends {@link #shut}, but only after so long from now. */
    void openIn(Duration time) {
        shut = false;
        notBefore = System.nanoTime() + time.toNanos();
        drain();
    }

    /** Ends {@link #shut}. */
    void open() {
        shut = false;
        drain();
    }

    /** Drops all that waits here. */
    void discard() {
        for (Chunk chunk = chunks.poll(); chunk != null; chunk = chunks.poll()) {
            if (chunk.bytes != null) {
                chunk.bytes.release();
            }
        }
    }

    /** Passes on what may pass now. Called whenever something arrives, a switch changes or a time has come. */
    void drain() {
        Channel to = target;
        if (to == null || shut || blocked.getAsBoolean()) {
            return;
        }
        boolean written = false;
        for (Chunk next = chunks.peek(); next != null; next = chunks.peek()) {
            long wait = timeOf(next) - System.nanoTime();
            if (wait > 0) {
                wakeUpIn(wait);
                break;
            }
            chunks.remove();
            if (next.bytes != null) {
                to.write(next.bytes);
                written = true;
            } else if (onEnd != null) {
                onEnd.accept(to);
            }
        }
        if (written) {
            to.flush();
        }
    }

    // Reckoned anew each time, so that a change of the delay holds for what already waits.
    private long timeOf(Chunk chunk) {
        long due = chunk.arrival + delay.get().toNanos();
        Long hold = notBefore;
        return hold == null || due - hold > 0 ? due : hold;
    }

    private void wakeUpIn(long nanos) {
        if (wakeUp != null) {
            wakeUp.cancel(false);
        }
        wakeUp = loop.schedule(this::drain, nanos, TimeUnit.NANOSECONDS);
    }
}
