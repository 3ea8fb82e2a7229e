package io.redislock.reactor.store;

import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CompleteableCommand;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A Lettuce command that knows how often it was written, and that can be withdrawn for certain while it was not.
 *
 * <p>Lettuce's own {@code cancel} cannot tell the two apart: a command that was written is only marked locally, and the
 * server runs it. And Lettuce writes a command again after a reconnect, without telling. Both are seen where every
 * command must pass: in {@link #encode}.
 *
 * <pre>
 *   writes:   0 ----encode----> 1 ----encode again----> 2 ...
 *             |
 *             +---withdraw----> -1 : Lettuce drops it when its turn comes.
 * </pre>
 *
 * <p>One gap is left: Lettuce looks whether a command is done a few instructions before it encodes it, on its event
 * loop, while a withdrawal comes from a timer's thread. A command withdrawn in between is written all the same, because
 * leaving it out now would shift every later reply by one. It counts as written from then on, and its reply is
 * reported.
 */
final class StoreCommand<R> extends Command<String, String, R> implements CompleteableCommand<R> {

    /** Told about the end of a command, on the event loop, or on the caller's thread when nothing could be sent. */
    interface Listener<R> {

        /** Once; also after a failure, when the client had only stopped waiting for the reply. */
        void onReply(StoreCommand<R> command);

        /** At most once, and never after a reply. */
        void onFailure(StoreCommand<R> command, Throwable failure);
    }

    private static final int WITHDRAWN = -1;

    private static final int OPEN = 0;
    private static final int FAILED = 1;
    private static final int REPLIED = 2;

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<StoreCommand> WRITES =
            AtomicIntegerFieldUpdater.newUpdater(StoreCommand.class, "writes");

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<StoreCommand> ENDED =
            AtomicIntegerFieldUpdater.newUpdater(StoreCommand.class, "ended");

    @SuppressWarnings("rawtypes")
    private static final AtomicReferenceFieldUpdater<StoreCommand, BiConsumer> ON_END =
            AtomicReferenceFieldUpdater.newUpdater(StoreCommand.class, BiConsumer.class, "onEnd");

    private static final BiConsumer<Object, Throwable> OVER = (result, failure) -> { };

    @SuppressWarnings("rawtypes")
    private static final AtomicIntegerFieldUpdater<StoreCommand> SENDING =
            AtomicIntegerFieldUpdater.newUpdater(StoreCommand.class, "sending");

    private static final int NOT_BEGUN = 0;
    private static final int BEGUN = 1;
    private static final int GONE = 2;

    private final Listener<R> listener;
    private volatile int sending;
    private @Nullable Outbox outbox;
    private volatile int writes;
    private volatile int ended;
    /** What Lettuce wants to do at the end, {@link #OVER} once that is done. */
    private volatile @Nullable BiConsumer<? super R, Throwable> onEnd;

    StoreCommand(ProtocolKeyword type, CommandOutput<String, String, R> output, CommandArgs<String, String> args,
            Listener<R> listener) {
        super(type, output, args);
        this.listener = listener;
    }

    /** It is about to be sent by this outbox. False when it has ended already. */
    boolean begin(Outbox by) {
        outbox = by;
        return SENDING.compareAndSet(this, NOT_BEGUN, BEGUN);
    }

    /** How often it was written; zero also when it was withdrawn. */
    int timesWritten() {
        return Math.max(0, writes);
    }

    /** Takes the command back if it was not written; then it is not sent. Returns whether that succeeded. */
    boolean withdraw() {
        if (WRITES.compareAndSet(this, 0, WITHDRAWN)) {
            super.cancel();
            runOnEnd();
            return true;
        }
        return false;
    }

    @Override
    public void onComplete(Consumer<? super R> action) {
        onComplete((result, failure) -> action.accept(result));
    }

    /**
     * Lettuce ends a command's timeout here, and its span. Without this, every command would stay in memory until its
     * timeout, a minute by default.
     */
    @Override
    public void onComplete(BiConsumer<? super R, Throwable> action) {
        for (;;) {
            BiConsumer<? super R, Throwable> before = onEnd;
            if (before == OVER) {
                action.accept(result(), exception);
                return;
            }
            BiConsumer<? super R, Throwable> both = before == null ? action : (result, failure) -> {
                before.accept(result, failure);
                action.accept(result, failure);
            };
            if (ON_END.compareAndSet(this, before, both)) {
                return;
            }
        }
    }

    @SuppressWarnings("unchecked")
    private void runOnEnd() {
        if (SENDING.getAndSet(this, GONE) == BEGUN && outbox != null) {
            outbox.ended();
        }
        BiConsumer<? super R, Throwable> actions = ON_END.getAndSet(this, OVER);
        if (actions != null && actions != OVER) {
            actions.accept(result(), exception);
        }
    }

    private @Nullable R result() {
        return exception == null && getOutput() != null ? getOutput().get() : null;
    }

    @Override
    public void encode(ByteBuf buf) {
        WRITES.updateAndGet(this, written -> written == WITHDRAWN ? 1 : written + 1);
        if (outbox != null) {
            outbox.encoding();
        }
        super.encode(buf);
    }

    @Override
    public void complete() {
        super.complete();
        runOnEnd();
        if (writes != WITHDRAWN && ENDED.getAndSet(this, REPLIED) != REPLIED) {
            listener.onReply(this);
        }
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        // Not by super, which writes the message into the output, where a reply may still come.
        exception = failure;
        status = ST_COMPLETED;
        runOnEnd();
        if (fails()) {
            listener.onFailure(this, failure);
        }
        return true;
    }

    /** Lettuce cancels what it will not run any more, when a connection closes for instance. */
    @Override
    public void cancel() {
        super.cancel();
        runOnEnd();
        if (fails()) {
            listener.onFailure(this, new CancellationException("The connection was closed"));
        }
    }

    /** Not for a command that was withdrawn in time: its sender knows. */
    private boolean fails() {
        return writes != WITHDRAWN && ENDED.compareAndSet(this, OPEN, FAILED);
    }
}
