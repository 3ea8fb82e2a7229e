package io.redislock.reactor.blockhound;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Watches for blocking calls on non-blocking threads, and remembers them: an error thrown on an event loop may be
 * caught there by somebody else.
 */
public final class BlockHoundSetup implements BlockHoundIntegration {

    private static final Queue<BlockingOperationError> SEEN = new ConcurrentLinkedQueue<>();

    @Override
    public void applyTo(BlockHound.Builder builder) {
        // Lettuce guards each of its connections with a ReentrantLock, held for a few instructions, also on its event
        // loop. An error thrown there would leave its count of writers negative, and every writer spinning for ever.
        // And Netty's allocator takes locks of its own for a moment; an error there leaves a connection half made. An
        // event loop that another one is told to shut down by, when a client is shut down, takes that of its queue.
        builder.allowBlockingCallsInside("io.netty.util.concurrent.SingleThreadEventExecutor", "shutdownGracefully")
                .allowBlockingCallsInside("io.netty.buffer.AdaptivePoolingAllocator", "allocate")
                .allowBlockingCallsInside("io.lettuce.core.protocol.SharedLock", "incrementWriters")
                .allowBlockingCallsInside("io.lettuce.core.protocol.SharedLock", "lockWritersExclusive")
                .allowBlockingCallsInside("io.lettuce.core.protocol.SharedLock", "doExclusive")
                .blockingMethodCallback(method -> {
                    BlockingOperationError error = new BlockingOperationError(method);
                    SEEN.add(error);
                    throw error;
                });
    }

    /** The calls seen since the last time this was asked. */
    static Queue<BlockingOperationError> takeSeen() {
        Queue<BlockingOperationError> seen = new ConcurrentLinkedQueue<>();
        for (BlockingOperationError error = SEEN.poll(); error != null; error = SEEN.poll()) {
            seen.add(error);
        }
        return seen;
    }
}
