package io.redislock.reactor.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

import io.lettuce.core.api.StatefulConnection;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import io.redislock.reactor.time.Deadlines;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands so that many travel in one write, and a lone one at once.
 *
 * <p>Lettuce flushes each command by itself, and a system call for each is most of what a busy connection costs. To
 * flush once per turn of the event loop is too seldom in turn: the server idles while a turn is worked off. So commands
 * are sent as soon as those unsent are an eighth of those in flight, and else at the end of the turn:
 * <pre>
 *   in flight      1    sent at once
 *                 16    two by two, or at the end of the turn
 *                512    64 at a time, or at the end of the turn
 * </pre>
 *
 * <p>All are handed to Lettuce on the event loop of the connection, in the order in which they came, so none can
 * overtake another. Nothing can be left behind: whoever adds a command sees either that a task which will send it is
 * pending, or makes one so. Which event loop that is shows where commands are encoded, anew after each reconnect; until
 * then, and where the client bounds its queues, each command is handed over by itself.
 */
final class Outbox {

    /** Tried at 1 to 512 in flight: a sixteenth is slower than a flush per command at 16, a quarter gains nothing. */
    private static final int SHARE = 8;

    private static final int NONE = 0;
    /** A task that will send everything is under way. */
    private static final int PENDING = 1;
    /** Somebody is adding several commands, and makes a task when that is done. */
    private static final int RESERVED = 2;

    private final StatefulConnection<String, String> connection;
    private final boolean oneByOne;
    private final Queue<StoreCommand<?>> unsent = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unsentCount = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger pending = new AtomicInteger(NONE);
    private volatile @Nullable Thread reservedFor;
    private final Runnable send = this::send;
    private final Deadlines timeouts = new Deadlines(System::nanoTime);
    private volatile @Nullable EventExecutor eventLoop;
    /** Only on the event loop: whether more is about to follow. */
    private boolean held;

    Outbox(StatefulConnection<String, String> connection) {
        this.connection = connection;
        // A batch would be refused as a whole where one by one some would fit.
        this.oneByOne = connection.getOptions().getRequestQueueSize() != Integer.MAX_VALUE;
    }

    /** Sends a command, unless it has ended already. Whatever fails is told to the command. */
    void add(StoreCommand<?> command) {
        if (!command.begin(this)) {
            return;
        }
        inFlight.incrementAndGet();
        EventExecutor loop = eventLoop;
        if (loop == null || oneByOne) {
            dispatch(command);
            return;
        }
        unsent.add(command);
        unsentCount.incrementAndGet();
        if (loop.inEventLoop()) {
            if (!held) {
                sendIfMany(loop);
            }
        } else {
            sendLater(loop);
        }
    }

    private void sendIfMany(EventExecutor loop) {
        if (unsentCount.get() * SHARE >= inFlight.get()) {
            send();
        } else {
            sendLater(loop);
        }
    }

    /** For the commands that are sent through here. */
    Deadlines timeouts() {
        return timeouts;
    }

    /** Runs something that sends several commands which should travel together. */
    void together(Runnable sending) {
        EventExecutor loop = eventLoop;
        if (loop == null || oneByOne) {
            sending.run();
        } else if (loop.inEventLoop()) {
            if (held) {
                sending.run();
                return;
            }
            held = true;
            try {
                sending.run();
            } finally {
                held = false;
                sendIfMany(loop);
            }
        } else {
            togetherOffTheLoop(loop, sending);
        }
    }

    private void togetherOffTheLoop(EventExecutor loop, Runnable sending) {
        boolean reserved = pending.compareAndSet(NONE, RESERVED); // so that nobody sends the first part alone
        if (reserved) {
            reservedFor = Thread.currentThread();
        }
        try {
            sending.run();
        } finally {
            if (reserved) {
                reservedFor = null;
                sendLater(loop);
            }
        }
    }

    /** A command is encoded, which happens on the connection's event loop only. */
    void encoding() {
        EventExecutor here = ThreadExecutorMap.currentExecutor();
        if (here != null && here != eventLoop) {
            eventLoop = here;
        }
    }

    /** A command that was added has ended, in whatever way. */
    void ended() {
        inFlight.decrementAndGet();
    }

    /** A reservation holds nobody up but the one who has it. */
    private void sendLater(EventExecutor loop) {
        if (pending.compareAndSet(NONE, PENDING)
                || reservedFor != Thread.currentThread() && pending.compareAndSet(RESERVED, PENDING)) {
            execute(loop);
        }
    }

    private void execute(EventExecutor loop) {
        try {
            loop.execute(send);
        } catch (RejectedExecutionException shutDown) {
            send(); // what cannot be sent any more is told so by Lettuce
        }
    }

    private void send() {
        pending.set(NONE);
        EventExecutor loop = eventLoop;
        if (loop != null && !loop.inEventLoop() && !loop.isShuttingDown()) {
            sendLater(loop); // it has moved in between
            return;
        }
        StoreCommand<?> next = unsent.poll();
        if (next == null) {
            return;
        }
        List<StoreCommand<?>> batch = new ArrayList<>();
        int taken = 0;
        for (; next != null; next = unsent.poll()) {
            taken++;
            if (!next.isDone()) {
                batch.add(next);
            }
        }
        unsentCount.addAndGet(-taken);
        if (batch.size() == 1) {
            dispatch(batch.get(0));
        } else {
            dispatch(batch);
        }
    }

    private void dispatch(StoreCommand<?> command) {
        try {
            connection.dispatch(command);
        } catch (RuntimeException refused) {
            command.completeExceptionally(refused);
        }
    }

    private void dispatch(List<StoreCommand<?>> batch) {
        if (batch.isEmpty()) {
            return;
        }
        try {
            connection.dispatch(batch);
        } catch (RuntimeException refused) {
            batch.forEach(command -> command.completeExceptionally(refused));
        }
    }
}
