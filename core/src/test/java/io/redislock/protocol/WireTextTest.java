package io.redislock.protocol;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Stream;

import io.redislock.RandomRounds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class WireTextTest {

    private static final String HIGH = "\uD83D";
    private static final String LOW = "\uDD12";
    /** Each class of character, its first and its last, and as many surrogates. */
    private static final String ALPHABET =
            "\0k\u007F" + "\u0080é\u07FF" + "\u0800€\uD7FF\uE000\uFFFF" + (HIGH + LOW).repeat(6);

    static Stream<Arguments> unpaired() {
        String far = "k".repeat(70_000);
        return Stream.of(
                arguments(HIGH, 0),
                arguments(LOW, 0),
                arguments(HIGH + "ab", 0),
                arguments(LOW + "ab", 0),
                arguments("a" + HIGH + "b", 1),
                arguments("a" + LOW + "b", 1),
                arguments("ab" + HIGH, 2),
                arguments("ab" + LOW, 2),
                arguments(LOW + HIGH, 0),
                arguments(HIGH + HIGH + LOW, 0),
                arguments(HIGH + LOW + LOW, 2),
                arguments(HIGH + LOW + HIGH, 2),
                arguments(far + HIGH, 70_000),
                arguments(far + LOW + far, 70_000));
    }

    @ParameterizedTest
    @MethodSource("unpaired")
    void unpairedSurrogateIsRefusedWithItsPlace(String text, int index) {
        assertThatIllegalArgumentException().isThrownBy(() -> WireText.requireEncodable("value", text))
                .withMessageStartingWith("value has an unpaired surrogate at index " + index + ": \"")
                .satisfies(refused -> assertThat(refused.getMessage()).as("nothing that cannot be printed")
                        .doesNotContainPattern("[\\x{D800}-\\x{DFFF}]"));
    }

    /** The encoder of the JDK, told to report instead of replace, is the oracle. */
    @Test
    void acceptsAndCountsAsTheEncoderDoes() {
        RandomRounds.rounds(20_000, random -> {
            String text = someText(random);
            long expected = encodedBytes(text);
            if (expected < 0) {
                assertThatIllegalArgumentException().isThrownBy(() -> WireText.requireEncodable("key", text));
            } else {
                assertThat(WireText.requireEncodable("key", text)).isEqualTo(expected);
            }
        });
    }

    static Stream<Arguments> shown() {
        String full = "k".repeat(64);
        return Stream.of(
                arguments("", "\"\""),
                arguments("größe €", "\"größe €\""),
                arguments(full, '"' + full + '"'),
                arguments(full + "k", '"' + full + "…\""),
                arguments("a\0\t\u001b\u007f\u009f", "\"a\\u0000\\u0009\\u001b\\u007f\\u009f\""),
                arguments("say \"no\\", "\"say \\\"no\\\\\""),
                // What would end a line, or turn the text around, for whoever reads the log.
                arguments("a\u2028\u2029\u202eb", "\"a\\u2028\\u2029\\u202eb\""),
                arguments(HIGH + LOW, '"' + HIGH + LOW + '"'),
                // Never cut through the middle of a character.
                arguments("k".repeat(63) + HIGH + LOW + "k", '"' + "k".repeat(63) + HIGH + LOW + "…\""));
    }

    @ParameterizedTest
    @MethodSource("shown")
    void shownTextIsQuotedCutAndEscaped(String text, String expected) {
        assertThat(WireText.shown(text)).isEqualTo(expected);
    }

    private static String someText(Random random) {
        StringBuilder text = new StringBuilder();
        int length = 1 + random.nextInt(8);
        for (int i = 0; i < length; i++) {
            int at = random.nextInt(ALPHABET.length());
            text.append(ALPHABET.charAt(at));
            if (Character.isHighSurrogate(ALPHABET.charAt(at)) && random.nextInt(4) > 0) {
                text.append(LOW);
            }
        }
        return text.toString();
    }

    /** -1 when there is no encoding. */
    private static long encodedBytes(String text) {
        try {
            return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text)).remaining();
        } catch (CharacterCodingException unpaired) {
            return -1;
        }
    }
}
