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
    private final transient Mono<?> late;

    private StoreFailure(String message, @Nullable Throwable cause, boolean outcomeUnknown, Mono<?> late) {
        super(message, cause, false, false);
        this.outcomeUnknown = outcomeUnknown;
        this.late = late;
    }

    /** The command certainly had no effect, and never will. */
    public static StoreFailure withoutEffect(String message, @Nullable Throwable cause) {
        return new StoreFailure(message, cause, false, Mono.never());
    }

    /** The command may have run, and is over. */
    public static StoreFailure outcomeUnknown(String message, @Nullable Throwable cause) {
        return new StoreFailure(message, cause, true, Mono.empty());
    }

    /**
     * The time was up before the command was over.
     *
     * @param mayHaveRun whether it was written
     * @param late see {@link #late()}
     */
    public static StoreFailure timedOut(String message, boolean mayHaveRun, Mono<?> late) {
        return new StoreFailure(message, null, mayHaveRun, late);
    }

    /** Whether the command may have run. */
    public boolean outcomeUnknown() {
        return outcomeUnknown;
    }

    /**
     * The end of the command. Emits the reply if it still comes, and completes; completes empty when the command ended
     * without one. Never completes when the command had no effect. What the command may have left behind can be cleaned
     * up from then on: a clean-up sent earlier could overtake it.
     */
    public Mono<?> late() {
        return late;
    }
}
