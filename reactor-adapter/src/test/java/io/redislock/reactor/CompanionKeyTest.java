package io.redislock.reactor;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.lettuce.core.cluster.SlotHash;
import io.redislock.protocol.DestinationKey;
import io.redislock.protocol.LockKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The key of the fencing tokens lives where its lock does, and belongs to no other. Lettuce says which slot that is.
 */
class CompanionKeyTest {

    private static final int KEYS = Rounds.of(1_000_000);
    private static final Pattern RESERVED = Pattern.compile("redislock:(minted|accepted)[:{]");
    /** What keys are made of: mostly what a hash tag is made of, so that its every form comes up. */
    private static final List<String> PARTS = List.of("{", "{", "{", "}", "}", "}", "{}", "a", "b", ":", "é", "锁",
            "\uD83D\uDD12", "\0", "\n", "\u007f", "\u0080", "\uFFFF", "redislock:minted", "redislock:accepted");

    @Test
    void anyCompanionIsInTheSlotOfItsKeyAndNoTwoKeysShareOne() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Map<String, String> owners = new HashMap<>();

        for (int i = 0; i < KEYS; i++) {
            String key = key(random);
            if (!isReserved(key)) {
                check("lock " + key, key, LockKey.of("", key).companion(), owners, seed);
                check("destination " + key, key, DestinationKey.of(key).companion(), owners, seed);
            }
        }
        assertThat(owners).as("seed %d", seed).hasSizeGreaterThan(KEYS / 4);
    }

    /** Without an assertion per key, which would take longer than all the rest. */
    private static void check(String owner, String key, String companion, Map<String, String> owners, long seed) {
        String other = owners.put(companion, owner);
        if (SlotHash.getSlot(companion) != SlotHash.getSlot(key) || !isReserved(companion)
                || other != null && !other.equals(owner)) {
            throw new AssertionError(companion + " of " + owner + ", the other is of " + other + ", seed " + seed);
        }
    }

    private static String key(Random random) {
        StringBuilder key = new StringBuilder();
        IntStream.rangeClosed(0, random.nextInt(8))
                .forEach(part -> key.append(PARTS.get(random.nextInt(PARTS.size()))));
        return key.toString();
    }

    private static boolean isReserved(String text) {
        return RESERVED.matcher(text).lookingAt();
    }

    /** Every slot that a key with a } can have. */
    @Test
    void everySlotHasACompanionForAKeyThatCannotBeATag() {
        Map<Integer, String> companions = new HashMap<>();
        for (int i = 0; companions.size() < SlotHash.SLOT_COUNT; i++) {
            String key = "}" + i;
            String companion = LockKey.of("", key).companion();
            assertThat(SlotHash.getSlot(companion)).isEqualTo(SlotHash.getSlot(key));
            companions.put(SlotHash.getSlot(key), companion);
        }
        assertThat(companions.values()).doesNotHaveDuplicates();
    }

    @Test
    void companionIsNeverALocksKeyOrADestination() {
        Random random = new Random(11);
        for (int i = 0; i < 1_000; i++) {
            String key = key(random);
            if (!isReserved(key)) {
                assertThatIllegalArgumentException().as(key)
                        .isThrownBy(() -> LockKey.of("", LockKey.of("", key).companion()));
                assertThatIllegalArgumentException().as(key)
                        .isThrownBy(() -> LockKey.of("", DestinationKey.of(key).companion()));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redislock:minted{job}", "redislock:minted:{a}job", "redislock:accepted{job}"})
    void keyThatWouldBeACompanionIsRefusedAlsoBehindAPrefix(String key) {
        assertThatIllegalArgumentException().isThrownBy(() -> LockKey.of("", key)).withMessageContaining(key);
        assertThatIllegalArgumentException().isThrownBy(() -> LockKey.of("redislock:", key.substring(10)));
        assertThatIllegalArgumentException().isThrownBy(() -> DestinationKey.of(key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"redislock:minted", "redislock:mintedjob", "redislock:job", "my:redislock:minted{job}"})
    void keyThatOnlyLooksLikeOneIsAKey(String key) {
        assertThat(LockKey.of("", key).onTheWire()).isEqualTo(key);
    }

    @Test
    void prefixIsPartOfTheLocksCompanion() {
        assertThat(LockKey.of("app:", "job").companion()).isEqualTo("redislock:minted{app:job}");
        assertThat(LockKey.of("{app}:", "job").companion()).isEqualTo("redislock:minted:{app}:job");
    }
}
