package io.redislock.protocol;

/**
 * The key beside a key, for a number that belongs to it. It lives in the same slot of a Cluster, so one script may use
 * both, and two keys never share one:
 *
 * <pre>
 *   key         companion                    because
 *   {a}:job     label:{a}:job                its own tag stays the first
 *   job         label{job}                   the whole key is what is hashed
 *   a}job       label{3q}a}job               a } ends a tag: any tag of the same slot
 * </pre>
 * The three forms cannot meet: the first has a colon after the label, the second has its only <code>}</code> at its
 * end, and the third has another one after it.
 */
final class CompanionKey {

    /** Of a lock's key: the last fencing token that was minted. */
    static final String MINTED = "redislock:minted";
    /** Of a destination: the last fencing token that was accepted. */
    static final String ACCEPTED = "redislock:accepted";

    private CompanionKey() {
    }

    static String of(String label, String key) {
        if (HashSlot.tag(key) != null) {
            return label + ':' + key;
        }
        if (key.indexOf('}') < 0) {
            return label + '{' + key + '}';
        }
        return label + '{' + SlotTags.of(HashSlot.of(key)) + '}' + key;
    }

    /** Refuses a key that would be the companion of another. */
    static void requireNone(String key) {
        if (isOne(MINTED, key) || isOne(ACCEPTED, key)) {
            throw new IllegalArgumentException("key must not begin like those that keep fencing tokens: "
                    + WireText.shown(key));
        }
    }

    private static boolean isOne(String label, String key) {
        return key.length() > label.length() && key.startsWith(label)
                && (key.charAt(label.length()) == ':' || key.charAt(label.length()) == '{');
    }
}
