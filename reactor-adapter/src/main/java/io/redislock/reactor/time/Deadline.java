package io.redislock.reactor.time;

import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;

/**
 * Something that happens at a moment unless it is cancelled before, see {@link Deadlines}. Set once at a time; it may
 * be set again when it has happened.
 */
public abstract class Deadline {

    /** Guarded by the line it stands in, as the next three. */
    @Nullable Deadline before;
    @Nullable Deadline after;
    long dueNanos;
    boolean inLine;
    volatile @Nullable DeadlineLine line;
    /** For one that does not fit into a line. */
    volatile Disposable alone = Disposables.disposed();

    /** The moment has come. Called on a timer thread. */
    protected abstract void due();

    /** It does not happen any more, unless it is about to at this moment. */
    public final void unset() {
        DeadlineLine current = line;
        if (current != null) {
            current.remove(this);
        }
        alone.dispose();
    }
}
