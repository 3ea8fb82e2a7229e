package io.redislock.protocol;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** The bound counts bytes on the wire, not characters. */
class LockKeyBoundTest {

    private static final int BOUND = 65_536;

    @Test
    void boundIs64KiB() {
        assertThat(LockKey.MAX_BYTES).isEqualTo(BOUND);
    }

    static Stream<Arguments> characters() {
        return Stream.of(arguments("k", 1), arguments("é", 2), arguments("€", 3), arguments("\uD83D\uDD12", 4));
    }

    @ParameterizedTest
    @MethodSource("characters")
    void keyOfExactlyTheBoundIsTaken(String character, int bytes) {
        String key = textOf(BOUND, character, bytes);

        assertThat(LockKey.of("", key).onTheWire()).isEqualTo(key);
    }

    @ParameterizedTest
    @MethodSource("characters")
    void keyOfOneByteMoreIsRefused(String character, int bytes) {
        assertThatIllegalArgumentException().isThrownBy(() -> LockKey.of("", textOf(BOUND + 1, character, bytes)))
                .withMessageStartingWith("key must have at most 65536 UTF-8 bytes, has 65537: \"");
    }

    @ParameterizedTest
    @MethodSource("characters")
    void prefixTakesItsShareOfTheBound(String character, int bytes) {
        String prefix = textOf(BOUND - 5, character, bytes);

        assertThat(LockKey.of(prefix, "12345").name()).isEqualTo("12345");
        assertThatIllegalArgumentException().isThrownBy(() -> LockKey.of(prefix, "123456"))
                .withMessage("key must have at most 65536 UTF-8 bytes with its prefix, has 65537: \"123456\"");
    }

    @Test
    void prefixThatTakesTheWholeBoundLeavesNoKey() {
        String prefix = LockKey.requirePrefix("p".repeat(BOUND));

        assertThatIllegalArgumentException().isThrownBy(() -> LockKey.of(prefix, "k"))
                .withMessageContaining("with its prefix, has 65537");
    }

    @Test
    void messageShowsALongKeyCut() {
        String key = "0123456789".repeat(6) + "abcd" + "X".repeat(BOUND);

        assertThatIllegalArgumentException().isThrownBy(() -> LockKey.of("", key))
                .withMessageEndingWith("\"" + "0123456789".repeat(6) + "abcd…\"")
                .satisfies(refused -> assertThat(refused.getMessage()).hasSizeLessThan(200));
    }

    @Test
    void messageShowsTheKeyEscaped() {
        String key = "a\r\n\u001b[31m\u0085" + "X".repeat(BOUND);

        assertThatIllegalArgumentException().isThrownBy(() -> LockKey.of("", key))
                .withMessageContaining("\"a\\u000d\\u000a\\u001b[31m\\u0085XX")
                .satisfies(refused -> assertThat(refused.getMessage().chars()).noneMatch(Character::isISOControl));
    }

    /** As many of the character as fit, filled up with single bytes. */
    private static String textOf(int total, String character, int bytes) {
        String text = character.repeat(total / bytes) + "k".repeat(total % bytes);
        assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSize(total);
        return text;
    }
}
