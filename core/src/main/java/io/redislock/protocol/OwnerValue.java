package io.redislock.protocol;

/** What counts as the owner value that a caller brings to the low-level operations. */
public final class OwnerValue {

    private OwnerValue() {
    }

    /**
     * Refuses {@code null}, an empty value, and unpaired surrogates (two different owners would look alike).
     *
     * @return the same value
     */
    public static String require(String value) {
        WireText.requireEncodable("value", value);
        return value;
    }
}
