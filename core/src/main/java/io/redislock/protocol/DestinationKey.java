package io.redislock.protocol;

import org.jspecify.annotations.Nullable;

/** A validated key that fenced writes go to, and its companions. */
public final class DestinationKey {

    private final LockKey key;

    private DestinationKey(LockKey key) {
        this.key = key;
    }

    /**
     * Checks and makes a key; it is bounded as {@link LockKey#of} says.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static DestinationKey of(String key) {
        return new DestinationKey(LockKey.of("", key));
    }

    /** The key on the server. */
    public String onTheWire() {
        return key.onTheWire();
    }

    /**
     * The key that keeps the last fencing token that was accepted: in the same slot of a Cluster, and no other
     * destination's.
     */
    public String companion() {
        return CompanionKey.of(CompanionKey.ACCEPTED, onTheWire());
    }

    /** The key that there is when this is the key of a fenced lock, by mistake. */
    public String companionOfALock() {
        return key.companion();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DestinationKey that && key.equals(that.key);
    }

    @Override
    public int hashCode() {
        return key.hashCode();
    }

    @Override
    public String toString() {
        return onTheWire();
    }
}
