package io.redislock.protocol;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.stream.IntStream;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OwnerTokensTest {

    private static final int RANDOM_DIGITS = 20;

    private final CountingRandom random = new CountingRandom();
    private final OwnerTokens tokens = new OwnerTokens(random);

    @RepeatedTest(20)
    void tokenIs32HexadecimalDigits() {
        assertThat(tokens.next().value()).matches("[0-9a-f]{32}");
    }

    @Test
    void tokenIsTheDrawnBytesAndThenTheCount() {
        OwnerTokens known = new OwnerTokens(new SecureRandom() {
            @Override
            public void nextBytes(byte[] bytes) {
                byte[] drawn = HexFormat.of().parseHex("00017f80ff9a0fa5f03c");
                assertThat(bytes).hasSameSizeAs(drawn);
                System.arraycopy(drawn, 0, bytes, 0, drawn.length);
            }
        });

        assertThat(IntStream.range(0, 18).mapToObj(i -> known.next().value()))
                .startsWith("00017f80ff9a0fa5f03c000000000000", "00017f80ff9a0fa5f03c000000000001")
                .endsWith("00017f80ff9a0fa5f03c000000000010", "00017f80ff9a0fa5f03c000000000011");
    }

    @Test
    void tokensOfOneInstanceShareTheRandomPart() {
        assertThat(randomPart(tokens.next())).isEqualTo(randomPart(tokens.next()));
    }

    @Test
    void redrawChangesTheRandomPartAndGoesOnCounting() {
        OwnerToken before = tokens.next();

        tokens.redraw();

        OwnerToken after = tokens.next();
        assertThat(randomPart(after)).isNotEqualTo(randomPart(before));
        assertThat(count(after)).isEqualTo(count(before) + 1);
    }

    @Test
    void redrawLeavesEarlierTokensAsTheyWere() {
        OwnerToken before = tokens.next();
        String value = before.value();

        tokens.redraw();
        tokens.next();

        assertThat(before.value()).isEqualTo(value);
    }

    @Test
    void twoInstancesDiffer() {
        OwnerTokens others = new OwnerTokens(random);

        assertThat(randomPart(others.next())).isNotEqualTo(randomPart(tokens.next()));
    }

    @Test
    void randomIsDrawnAtCreationAndRedrawOnly() {
        assertThat(random.draws()).as("creation").isEqualTo(1);

        IntStream.range(0, 1_000).forEach(i -> tokens.next());
        assertThat(random.draws()).as("a thousand tokens").isEqualTo(1);

        tokens.redraw();
        tokens.next();
        assertThat(random.draws()).as("a redraw").isEqualTo(2);
    }

    @Test
    void tokensAreEqualByValue() {
        OwnerToken token = tokens.next();

        assertThat(token).isEqualTo(new OwnerToken(token.value())).hasSameHashCodeAs(new OwnerToken(token.value()))
                .hasToString(token.value());
        assertThat(token).isNotEqualTo(tokens.next()).isNotEqualTo(null).isNotEqualTo(token.value());
    }

    @Test
    void hashesSpread() {
        assertThat(IntStream.range(0, 1_000).mapToObj(i -> tokens.next().hashCode()).distinct())
                .hasSizeGreaterThan(900);
    }

    private static String randomPart(OwnerToken token) {
        return token.value().substring(0, RANDOM_DIGITS);
    }

    private static long count(OwnerToken token) {
        return Long.parseLong(token.value().substring(RANDOM_DIGITS), 16);
    }
}
