package io.redislock.reactor.time;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Deadlines in the order in which they are due, and one task for the first of them. The task is not moved when its
 * deadline is cancelled: it finds out when it runs, which is once per usual time at most.
 */
final class DeadlineLine implements Runnable {

    /** Who is due before so many that stand in line already is better scheduled alone. */
    private static final int MOST_STEPS = 64;

    /** A task that is so late will not come, or its thread is blocked: another may be free. */
    private static final long OVERDUE_NANOS = Duration.ofMillis(500).toNanos();

    private final Deadlines deadlines;
    private final Duration kind;
    private @Nullable Deadline first;
    private @Nullable Deadline last;
    private @Nullable Disposable task;
    private long taskNanos;
    private @Nullable Scheduler taskRunsOn;
    private boolean gone;

    DeadlineLine(Deadlines deadlines, Duration kind) {
        this.deadlines = deadlines;
        this.kind = kind;
    }

    /** False when it does not fit in here. */
    synchronized boolean add(Deadline deadline, long nowNanos, long dueNanos) {
        if (gone) {
            return false;
        }
        Deadline previous = last;
        for (int steps = 0; previous != null && previous.dueNanos - dueNanos > 0; steps++) {
            if (steps == MOST_STEPS) {
                return false;
            }
            previous = previous.before;
        }
        deadline.dueNanos = dueNanos;
        deadline.line = this;
        deadline.inLine = true;
        insert(deadline, previous);
        if (task == null || previous == null && dueNanos - taskNanos < 0 || taskIsLost(nowNanos)) {
            arm(first == null ? dueNanos : first.dueNanos);
        }
        return true;
    }

    /** Reactor's schedulers can be replaced, in tests mostly, and then run nothing that they had. */
    private boolean taskIsLost(long nowNanos) {
        return taskRunsOn != Schedulers.parallel() || nowNanos - taskNanos > OVERDUE_NANOS;
    }

    synchronized void remove(Deadline deadline) {
        if (deadline.inLine) {
            unlink(deadline);
        }
    }

    /** Whether it is not used any more. */
    synchronized boolean isGone() {
        return gone;
    }

    /** The task. */
    @Override
    public void run() {
        for (Deadline due = nextDue(); due != null; due = nextDue()) {
            boolean returned = false;
            try {
                due.due();
                returned = true;
            } finally {
                if (!returned) {
                    armAgain(); // what one throws keeps none of the others from coming due
                }
            }
        }
    }

    synchronized void close() {
        end();
        if (task != null) {
            task.dispose();
        }
    }

    private void end() {
        gone = true;
        deadlines.remove(kind, this);
    }

    private synchronized void armAgain() {
        arm(deadlines.now());
    }

    private synchronized @Nullable Deadline nextDue() {
        Deadline head = first;
        if (head == null) {
            end();
            return null;
        }
        if (head.dueNanos - deadlines.now() > 0) {
            arm(head.dueNanos);
            return null;
        }
        unlink(head);
        return head;
    }

    private void arm(long dueNanos) {
        if (task != null) {
            task.dispose();
        }
        taskNanos = dueNanos;
        long in = Math.max(0, dueNanos - deadlines.now());
        taskRunsOn = Schedulers.parallel();
        task = taskRunsOn.schedule(this, in, TimeUnit.NANOSECONDS);
    }

    private void insert(Deadline deadline, @Nullable Deadline previous) {
        Deadline next = previous == null ? first : previous.after;
        deadline.before = previous;
        deadline.after = next;
        if (previous == null) {
            first = deadline;
        } else {
            previous.after = deadline;
        }
        if (next == null) {
            last = deadline;
        } else {
            next.before = deadline;
        }
    }

    private void unlink(Deadline deadline) {
        Deadline previous = deadline.before;
        Deadline next = deadline.after;
        if (previous == null) {
            first = next;
        } else {
            previous.after = next;
        }
        if (next == null) {
            last = previous;
        } else {
            next.before = previous;
        }
        deadline.before = null;
        deadline.after = null;
        deadline.inLine = false;
        deadline.line = null;
    }
}
