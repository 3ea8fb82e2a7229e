package io.redislock.protocol;

import org.jspecify.annotations.Nullable;

/**
 * An owner value made by the library, used for one attempt and never again. Only {@link OwnerTokens} makes one, which
 * is why an acquisition may take "the key holds my token" for "I have it already".
 */
public final class OwnerToken {

    private final String value;

    OwnerToken(String value) {
        this.value = value;
    }

    /** 32 hexadecimal digits. */
    public String value() {
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof OwnerToken that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value;
    }
}
