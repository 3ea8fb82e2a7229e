package io.redislock.protocol;

import java.util.Arrays;

/** A short text for every slot that hashes to it: a hash tag that leads there. */
final class SlotTags {

    private static final char[] CHARACTERS = "0123456789abcdefghijklmnopqrstuvwxyz".toCharArray();
    /** So many characters reach every slot; a test looks. */
    private static final int LENGTH = 4;

    private SlotTags() {
    }

    static String of(int slot) {
        StringBuilder tag = new StringBuilder(LENGTH);
        int number = Found.NUMBERS[slot];
        for (int i = 0; i < LENGTH; i++) {
            tag.append(CHARACTERS[number % CHARACTERS.length]);
            number /= CHARACTERS.length;
        }
        return tag.reverse().toString();
    }

    /** Searched once, when the first key needs one; the hash goes on from that of the characters before. */
    private static final class Found {

        private static final int[] NUMBERS = new int[HashSlot.COUNT];
        private static int missing = HashSlot.COUNT;

        static {
            Arrays.fill(NUMBERS, -1);
            search(0, 0, 0);
        }

        private static void search(int length, int crc, int number) {
            for (int i = 0; i < CHARACTERS.length && missing > 0; i++) {
                int next = HashSlot.next(crc, CHARACTERS[i]);
                int nextNumber = number * CHARACTERS.length + i;
                if (length + 1 < LENGTH) {
                    search(length + 1, next, nextNumber);
                } else if (NUMBERS[next % HashSlot.COUNT] < 0) {
                    NUMBERS[next % HashSlot.COUNT] = nextNumber;
                    missing--;
                }
            }
        }
    }
}
