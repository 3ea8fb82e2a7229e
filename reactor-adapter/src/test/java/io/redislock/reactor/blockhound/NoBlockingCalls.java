package io.redislock.reactor.blockhound;

import java.util.Queue;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import reactor.blockhound.BlockingOperationError;

/** Fails a test class during which a non-blocking thread blocked. Registered for every class. */
public final class NoBlockingCalls implements AfterAllCallback {

    @Override
    public void afterAll(ExtensionContext context) {
        Queue<BlockingOperationError> seen = BlockHoundSetup.takeSeen();
        if (!seen.isEmpty()) {
            AssertionError failure = new AssertionError(seen.size() + " blocking calls on non-blocking threads");
            seen.forEach(failure::addSuppressed);
            throw failure;
        }
    }
}
