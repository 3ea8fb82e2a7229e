package io.redislock.protocol;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * The slot of a Redis Cluster that a key lives in: CRC16 (XMODEM) of its hash tag, or of the whole key where it has
 * none, modulo 16,384.
 *
 * @see <a href="https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/">Redis Cluster
 *     specification</a>
 */
final class HashSlot {

    /** How many there are. */
    static final int COUNT = 16_384;

    private static final int POLYNOMIAL = 0x1021;
    private static final int[] CRC_OF_BYTE = table();

    private HashSlot() {
    }

    static int of(String key) {
        String tag = tag(key);
        return ofText(tag == null ? key : tag);
    }

    /** The slot of a text that is hashed as a whole. */
    static int ofText(String text) {
        int crc = 0;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            crc = next(crc, b);
        }
        return crc % COUNT;
    }

    /** The CRC of a text and one more byte of it. */
    static int next(int crc, int character) {
        return crc << 8 & 0xffff ^ CRC_OF_BYTE[crc >>> 8 ^ character & 0xff];
    }

    /**
     * What stands between the first <code>{</code> and the first <code>}</code> after it; {@code null} when there is no
     * such pair or nothing in it.
     */
    static @Nullable String tag(String key) {
        int open = key.indexOf('{');
        if (open < 0) {
            return null;
        }
        int close = key.indexOf('}', open + 1);
        return close <= open + 1 ? null : key.substring(open + 1, close);
    }

    private static int[] table() {
        int[] table = new int[256];
        for (int first = 0; first < table.length; first++) {
            int crc = first << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) == 0 ? crc << 1 : crc << 1 ^ POLYNOMIAL;
            }
            table[first] = crc & 0xffff;
        }
        return table;
    }
}
