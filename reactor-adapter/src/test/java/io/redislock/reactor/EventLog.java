package io.redislock.reactor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.redislock.LockListener;
import io.redislock.LockLoss;
import io.redislock.LockUnavailableException;

/** Notes what a listener is told, in order. */
final class EventLog implements LockListener {

    private final List<String> names = new CopyOnWriteArrayList<>();

    List<String> names() {
        return names;
    }

    @Override
    public void acquired(String name, String key, Duration waited, long attempts) {
        names.add("acquired");
    }

    @Override
    public void busyAttempt(String name, String key, long attempt) {
        names.add("busyAttempt " + attempt);
    }

    @Override
    public void waiting(String name, String key) {
        names.add("waiting");
    }

    @Override
    public void waitEnded(String name, String key) {
        names.add("waitEnded");
    }

    @Override
    public void notAcquired(String name, String key, Duration waited, long attempts) {
        names.add("notAcquired");
    }

    @Override
    public void unavailable(String name, String key, Duration waited, LockUnavailableException failure) {
        names.add("unavailable");
    }

    @Override
    public void abandoned(String name, String key, Duration waited) {
        names.add("abandoned");
    }

    @Override
    public void extended(String name, String key) {
        names.add("extended");
    }

    @Override
    public void suspect(String name, String key) {
        names.add("suspect");
    }

    @Override
    public void lost(String name, String key, LockLoss reason, Duration heldFor) {
        names.add("lost " + reason);
    }

    @Override
    public void released(String name, String key, Duration heldFor) {
        names.add("released");
    }

    @Override
    public void releaseFailed(String name, String key) {
        names.add("releaseFailed");
    }
}
