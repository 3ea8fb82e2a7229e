package io.redislock.reactor.store;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A command without a usable answer. Internal and stackless: callers of the library see a
 * {@link io.redislock.LockUnavailableException} made from it.
 */
public final class StoreFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean outcomeUnknown;
    private final transient Mono<Void> over;
    private final transient Mono<?> lateReply;

    private StoreFailure(String message, @Nullable Throwable cause, boolean outcomeUnknown, Mono<Void> over,
            Mono<?> lateReply) {
        super(message, cause, false, false);
        this.outcomeUnknown = outcomeUnknown;
        this.over = over;
        this.lateReply = lateReply;
    }

    /** The command certainly had no effect, and never will. */
    public static StoreFailure withoutEffect(String message, @Nullable Throwable cause) {
        return new StoreFailure(message, cause, false, Mono.never(), Mono.empty());
    }

    /** The command may have run, and is over. */
    public static StoreFailure outcomeUnknown(String message, @Nullable Throwable cause) {
        return outcomeUnknown(message, cause, Mono.empty());
    }

    /**
     * The command may have run and will not be sent again.
     *
     * @param lateReply see {@link #lateReply()}
     */
    public static StoreFailure outcomeUnknown(String message, @Nullable Throwable cause, Mono<?> lateReply) {
        return new StoreFailure(message, cause, true, Mono.empty(), lateReply);
    }

    /**
     * The time was up before the command was over.
     *
     * @param mayHaveRun whether it was written
     * @param over completes when the command is over
     * @param lateReply emits the reply if it still comes, be it after that
     */
    public static StoreFailure timedOut(String message, @Nullable Throwable cause, boolean mayHaveRun, Mono<Void> over,
            Mono<?> lateReply) {
        return new StoreFailure(message, cause, mayHaveRun, over, lateReply);
    }

    /** Whether the command may have run. */
    public boolean outcomeUnknown() {
        return outcomeUnknown;
    }

    /**
     * Completes when what the command may have left behind can be cleaned up: a clean-up sent earlier could overtake
     * it. Never completes when the command had no effect.
     */
    public Mono<Void> over() {
        return over;
    }

    /** Emits the reply if it still comes. Completes without, or never, when none does. */
    public Mono<?> lateReply() {
        return lateReply;
    }
}
