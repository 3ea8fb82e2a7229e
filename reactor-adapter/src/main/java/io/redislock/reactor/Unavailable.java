package io.redislock.reactor;

import io.redislock.LockUnavailableException;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.WireText;
import io.redislock.reactor.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/** How a failure of the store is told to the caller. */
final class Unavailable {

    private Unavailable() {
    }

    /** A {@link StoreFailure} with the key; anything else as it is. */
    static Throwable unavailable(LockKey key, Throwable failure) {
        if (failure instanceof StoreFailure store) {
            return unavailable(key, String.valueOf(store.getMessage()), store.getCause(), store.outcomeUnknown());
        }
        return failure;
    }

    static LockUnavailableException unavailable(LockKey key, String reason, boolean outcomeUnknown) {
        return unavailable(key, reason, null, outcomeUnknown);
    }

    static LockUnavailableException closed(LockKey key) {
        return unavailable(key, "these locks were closed", false);
    }

    private static LockUnavailableException unavailable(LockKey key, String reason,
            @Nullable Throwable cause, boolean outcomeUnknown) {
        String message = "The lock " + WireText.shown(key.name()) + " is unavailable: " + reason;
        return new LockUnavailableException(key.name(), message, cause, outcomeUnknown);
    }
}
