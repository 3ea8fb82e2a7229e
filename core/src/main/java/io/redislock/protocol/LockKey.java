package io.redislock.protocol;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A validated key: as the caller gave it, and as it stands on the server, with the prefix if one is configured. Beside
 * it there may be a {@link #companion()}.
 */
public final class LockKey {

    /** The most that a key may have on the wire, in UTF-8 bytes. Our own bound; that of Redis is 512 MB. */
    public static final int MAX_BYTES = 65_536;

    private final String name;
    private final String onTheWire;

    private LockKey(String name, String onTheWire) {
        this.name = name;
        this.onTheWire = onTheWire;
    }

    /**
     * Checks and makes a key.
     *
     * @param prefix put before the key on the server, may be empty; checked by {@link #requirePrefix} before
     * @param key as the caller gives it
     * @throws IllegalArgumentException when the key is empty, has an unpaired surrogate, is longer than
     *     {@link #MAX_BYTES} with its prefix, or is one that keeps the fencing tokens of another
     */
    public static LockKey of(String prefix, String key) {
        WireText.requireEncodable("key", key);
        String onTheWire = prefix.isEmpty() ? key : prefix + key;
        CompanionKey.requireNone(onTheWire);
        // A char has at most 3 bytes in UTF-8, so most keys need not be counted.
        if (onTheWire.length() > MAX_BYTES / 3) {
            long bytes = WireText.requireEncodable("key", onTheWire);
            if (bytes > MAX_BYTES) {
                throw new IllegalArgumentException("key must have at most " + MAX_BYTES + " UTF-8 bytes"
                        + (prefix.isEmpty() ? "" : " with its prefix") + ", has " + bytes + ": "
                        + WireText.shown(key));
            }
        }
        return new LockKey(key, onTheWire);
    }

    /**
     * Checks a prefix, which may be empty.
     *
     * @return the same prefix
     */
    public static String requirePrefix(String prefix) {
        Objects.requireNonNull(prefix, "keyPrefix");
        if (!prefix.isEmpty()) {
            WireText.requireEncodable("keyPrefix", prefix);
        }
        return prefix;
    }

    /** The key as the caller gave it. */
    public String name() {
        return name;
    }

    /** The key on the server. */
    public String onTheWire() {
        return onTheWire;
    }

    /**
     * The key that keeps the last fencing token of this lock, on the server: in the same slot of a Cluster, and no
     * other lock's.
     */
    public String companion() {
        return CompanionKey.of(CompanionKey.MINTED, onTheWire);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockKey that && onTheWire.equals(that.onTheWire);
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
