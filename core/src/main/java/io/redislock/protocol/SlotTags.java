package io.redislock.protocol;

/** A short text for every slot that hashes to it: a hash tag that leads there. */
final class SlotTags {

    private SlotTags() {
    }

    static String of(int slot) {
        return Integer.toString(Found.NUMBERS[slot], Character.MAX_RADIX);
    }

    /** Searched once, when the first key needs one: some 180,000 hashes of a few bytes, a few milliseconds. */
    private static final class Found {

        private static final int[] NUMBERS = search();

        private static int[] search() {
            int[] numbers = new int[HashSlot.COUNT];
            int missing = HashSlot.COUNT;
            for (int number = 1; missing > 0; number++) {
                int slot = HashSlot.ofText(Integer.toString(number, Character.MAX_RADIX));
                if (numbers[slot] == 0) {
                    numbers[slot] = number;
                    missing--;
                }
            }
            return numbers;
        }
    }
}
