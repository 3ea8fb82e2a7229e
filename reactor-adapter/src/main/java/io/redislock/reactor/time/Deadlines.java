package io.redislock.reactor.time;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/**
 * Deadlines of very many things that are nearly all cancelled before. A scheduler keeps a heap of tasks behind a lock,
 * which costs more than sending a command does. But commands mostly have the same timeout, and leases the same expiry:
 * those of one kind come due in about the order in which they began. So each kind has a line with one task for its
 * head, and to stand in line or to leave it takes a few instructions.
 */
public final class Deadlines {

    /** Kinds beyond this many are scheduled one by one, so that odd use does not fill the memory. */
    private static final int MOST_LINES = 64;

    private final LongSupplier nanoTime;
    private final Map<Duration, DeadlineLine> lines = new ConcurrentHashMap<>();

    /** @param nanoTime a monotonic clock */
    public Deadlines(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Lets something happen after its kind's usual time. */
    public void set(Deadline deadline, Duration in) {
        set(deadline, in, in);
    }

    /**
     * Lets something happen.
     *
     * @param deadline not set at the moment
     * @param kind what most of its kind are set to
     * @param in what this one is set to, not much less
     */
    public void set(Deadline deadline, Duration kind, Duration in) {
        long now = nanoTime.getAsLong();
        long dueNanos = now + in.toNanos();
        DeadlineLine line = lineFor(kind);
        while (line != null && !line.add(deadline, now, dueNanos)) {
            line = line.isGone() ? lineFor(kind) : null;
        }
        if (line == null) {
            deadline.alone = Schedulers.parallel().schedule(deadline::due, in.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private @Nullable DeadlineLine lineFor(Duration kind) {
        DeadlineLine line = lines.get(kind);
        return line != null || lines.size() >= MOST_LINES
                ? line : lines.computeIfAbsent(kind, added -> new DeadlineLine(this, added));
    }

    /** Ends the tasks that are left over. Nothing that is still set comes any more. */
    public void close() {
        lines.values().forEach(DeadlineLine::close);
    }

    long now() {
        return nanoTime.getAsLong();
    }

    void remove(Duration kind, DeadlineLine line) {
        lines.remove(kind, line);
    }
}
