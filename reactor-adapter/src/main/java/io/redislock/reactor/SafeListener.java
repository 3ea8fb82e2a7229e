package io.redislock.reactor;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.redislock.LockListener;
import io.redislock.LockLoss;
import io.redislock.LockUnavailableException;
import reactor.util.Logger;
import reactor.util.Loggers;

/** Tells each of the user's listeners, and keeps what they throw from changing anything. */
final class SafeListener implements LockListener {

    private static final Logger LOG = Loggers.getLogger(LockListener.class);

    private final List<LockListener> listeners;

    SafeListener(List<LockListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    private void tell(Consumer<LockListener> event) {
        for (int i = 0; i < listeners.size(); i++) {
            try {
                event.accept(listeners.get(i));
            } catch (Throwable thrown) {
                LOG.warn("A lock listener threw; this changes nothing", thrown);
            }
        }
    }

    @Override
    public void acquired(String name, String key, Duration waited, long attempts) {
        tell(listener -> listener.acquired(name, key, waited, attempts));
    }

    @Override
    public void busyAttempt(String name, String key, long attempt) {
        tell(listener -> listener.busyAttempt(name, key, attempt));
    }

    @Override
    public void waiting(String name, String key) {
        tell(listener -> listener.waiting(name, key));
    }

    @Override
    public void waitEnded(String name, String key) {
        tell(listener -> listener.waitEnded(name, key));
    }

    @Override
    public void notAcquired(String name, String key, Duration waited, long attempts) {
        tell(listener -> listener.notAcquired(name, key, waited, attempts));
    }

    @Override
    public void unavailable(String name, String key, Duration waited, LockUnavailableException failure) {
        tell(listener -> listener.unavailable(name, key, waited, failure));
    }

    @Override
    public void abandoned(String name, String key, Duration waited) {
        tell(listener -> listener.abandoned(name, key, waited));
    }

    @Override
    public void extended(String name, String key) {
        tell(listener -> listener.extended(name, key));
    }

    @Override
    public void suspect(String name, String key) {
        tell(listener -> listener.suspect(name, key));
    }

    @Override
    public void lost(String name, String key, LockLoss reason, Duration heldFor) {
        tell(listener -> listener.lost(name, key, reason, heldFor));
    }

    @Override
    public void released(String name, String key, Duration heldFor) {
        tell(listener -> listener.released(name, key, heldFor));
    }

    @Override
    public void releaseFailed(String name, String key) {
        tell(listener -> listener.releaseFailed(name, key));
    }
}
