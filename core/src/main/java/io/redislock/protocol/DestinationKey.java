package io.redislock.protocol;

import org.jspecify.annotations.Nullable;

/** A validated key that fenced writes go to, and its companion. */
public final class DestinationKey {

    private final String onTheWire;

    private DestinationKey(String onTheWire) {
        this.onTheWire = onTheWire;
    }

    /**
     * Checks and makes a key; it is bounded as {@link LockKey#of} says.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static DestinationKey of(String key) {
        return new DestinationKey(LockKey.of("", key).onTheWire());
    }

    /** The key on the server. */
    public String onTheWire() {
        return onTheWire;
    }

    /**
     * The key that keeps the last fencing token that was accepted: in the same slot of a Cluster, and no other
     * destination's.
     */
    public String companion() {
        return CompanionKey.of(CompanionKey.ACCEPTED, onTheWire);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DestinationKey that && onTheWire.equals(that.onTheWire);
    }

    @Override
    public int hashCode() {
        return onTheWire.hashCode();
    }

    @Override
    public String toString() {
        return onTheWire;
    }
}
