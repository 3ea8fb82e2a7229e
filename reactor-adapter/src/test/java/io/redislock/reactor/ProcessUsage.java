package io.redislock.reactor;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;

/**
 * What this process has used so far. Compilation and the collection of garbage are in the CPU time of the process, but
 * in that of no thread.
 */
record ProcessUsage(long wallNanos, long cpuNanos, Map<Long, Long> cpuNanosByThread, long allocatedBytes) {

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int COLLECTIONS = 3;

    static ProcessUsage now() {
        long[] threads = THREADS.getAllThreadIds();
        Map<Long, Long> cpuNanos = new HashMap<>();
        long allocatedBytes = 0;
        for (long thread : threads) {
            cpuNanos.put(thread, Math.max(0, THREADS.getThreadCpuTime(thread)));
            allocatedBytes += Math.max(0, THREADS.getThreadAllocatedBytes(thread));
        }
        return new ProcessUsage(System.nanoTime(), SYSTEM.getProcessCpuTime(), cpuNanos, allocatedBytes);
    }

    /** The bytes of the heap that are still in use after a collection. */
    static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    Duration wallSince(ProcessUsage earlier) {
        return Duration.ofNanos(wallNanos - earlier.wallNanos);
    }

    Duration cpuSince(ProcessUsage earlier) {
        return Duration.ofNanos(cpuNanos - earlier.cpuNanos);
    }

    /** By the threads that live now and whose names begin so. */
    Duration cpuSince(ProcessUsage earlier, String threadNames) {
        long nanos = 0;
        for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().startsWith(threadNames)) {
                nanos += cpuNanosByThread.getOrDefault(thread.getThreadId(), 0L)
                        - earlier.cpuNanosByThread.getOrDefault(thread.getThreadId(), 0L);
            }
        }
        return Duration.ofNanos(nanos);
    }

    /** By the threads that live now. */
    long allocatedSince(ProcessUsage earlier) {
        return allocatedBytes - earlier.allocatedBytes;
    }
}
