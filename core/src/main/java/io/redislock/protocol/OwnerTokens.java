package io.redislock.protocol;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes owner tokens: 80 random bits, then a counter of 48 bits, as 32 hexadecimal digits.
 *
 * <p>The random part is drawn at creation and at every {@link #redraw()}, never per token: a token costs one increment
 * and one small array. Within a process the counter keeps tokens apart, between processes the random part does. It is
 * drawn anew at every reconnect because a virtual machine restored twice from one snapshot would otherwise go on with
 * the same sequence in two places, and a restored machine has lost its connections.
 */
public final class OwnerTokens {

    private static final int RANDOM_BYTES = 10;
    private static final int COUNTER_DIGITS = 12;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final SecureRandom random;
    private final AtomicLong counter = new AtomicLong();
    private volatile byte[] prefix;

    /**
     * Draws the first random part, which may block for a moment.
     *
     * @param random the source of the random part
     */
    public OwnerTokens(SecureRandom random) {
        this.random = random;
        this.prefix = draw();
    }

    /** A token that no other call returns, in no process. Never blocks. */
    public OwnerToken next() {
        byte[] digits = new byte[2 * RANDOM_BYTES + COUNTER_DIGITS];
        byte[] drawn = prefix;
        System.arraycopy(drawn, 0, digits, 0, drawn.length);
        long count = counter.getAndIncrement();
        for (int i = digits.length - 1; i >= drawn.length; i--) {
            digits[i] = HEX[(int) (count & 0xf)];
            count >>>= 4;
        }
        return new OwnerToken(new String(digits, StandardCharsets.ISO_8859_1));
    }

    /** Draws the random part anew. May block for a moment: keep it off event loops. */
    public void redraw() {
        try {
            random.reseed(); // a generator in user space would replay after a snapshot
        } catch (UnsupportedOperationException asksTheSystemEachTime) {
            // nothing to replay
        }
        prefix = draw();
    }

    private byte[] draw() {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        byte[] digits = new byte[2 * RANDOM_BYTES];
        for (int i = 0; i < RANDOM_BYTES; i++) {
            digits[2 * i] = HEX[(bytes[i] >> 4) & 0xf];
            digits[2 * i + 1] = HEX[bytes[i] & 0xf];
        }
        return digits;
    }
}
