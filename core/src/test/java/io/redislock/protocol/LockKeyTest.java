package io.redislock.protocol;

import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

class LockKeyTest {

    @Test
    void keyWithoutPrefixGoesToTheServerAsItIs() {
        LockKey key = LockKey.of("", "jobs:nightly");

        assertThat(key.name()).isEqualTo("jobs:nightly");
        assertThat(key.onTheWire()).isEqualTo("jobs:nightly");
    }

    @Test
    void prefixIsOnTheServerAndNotInTheName() {
        LockKey key = LockKey.of("lock:", "jobs:nightly");

        assertThat(key.name()).isEqualTo("jobs:nightly");
        assertThat(key.onTheWire()).isEqualTo("lock:jobs:nightly");
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "\n", "\0", "{tag}:job", "}{", "größe", "锁", "\uD83D\uDD12", "\uFFFD", "\uFEFF"})
    void anyTextWithAnEncodingIsAKey(String text) {
        assertThat(LockKey.of("", text).onTheWire()).isEqualTo(text);
    }

    @Test
    void emptyKeyIsRefusedAlsoBehindAPrefix() {
        assertThatIllegalArgumentException().isThrownBy(() -> LockKey.of("", ""))
                .withMessage("key must not be empty: \"\"");
        assertThatIllegalArgumentException().isThrownBy(() -> LockKey.of("lock:", ""))
                .withMessage("key must not be empty: \"\"");
    }

    @Test
    void nullKeyIsRefusedByName() {
        assertThatNullPointerException().isThrownBy(() -> LockKey.of("", null)).withMessage("key");
        assertThatNullPointerException().isThrownBy(() -> LockKey.of("lock:", null)).withMessage("key");
    }

    static Stream<String> prefixes() {
        return Stream.of("", "lock:", "{tenant}:", "\uD83D\uDD12");
    }

    @ParameterizedTest
    @MethodSource("prefixes")
    void prefixMayBeAnyEncodableTextAndEmpty(String prefix) {
        assertThat(LockKey.requirePrefix(prefix)).isSameAs(prefix);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uD83D", "a\uDD12", "\uD83Da", "\uDD12\uD83D"})
    void prefixWithAnUnpairedSurrogateIsRefused(String prefix) {
        assertThatIllegalArgumentException().isThrownBy(() -> LockKey.requirePrefix(prefix))
                .withMessageStartingWith("keyPrefix has an unpaired surrogate");
    }

    /** The halves of one character, one in the prefix and one in the key, do not make a valid key. */
    @Test
    void prefixAndKeyCannotShareACharacter() {
        assertThatIllegalArgumentException().isThrownBy(() -> LockKey.of("\uD83D", "\uDD12:job"));
    }

    @Test
    void keysAreEqualWhenTheyAreOneKeyOnTheServer() {
        LockKey key = LockKey.of("lock:", "job");

        assertThat(key).isEqualTo(LockKey.of("lock:", "job")).isEqualTo(LockKey.of("", "lock:job"))
                .hasSameHashCodeAs(LockKey.of("", "lock:job"));
        assertThat(key).isNotEqualTo(LockKey.of("", "job")).isNotEqualTo(LockKey.of("lock:", "Job"))
                .isNotEqualTo(null).isNotEqualTo("lock:job");
    }

    @Test
    void hashesSpread() {
        assertThat(IntStream.range(0, 1_000).mapToObj(i -> LockKey.of("lock:", "job" + i).hashCode()).distinct())
                .hasSizeGreaterThan(900);
    }

    @Test
    void textIsTheKeyOnTheServer() {
        assertThat(LockKey.of("lock:", "job")).hasToString("lock:job");
    }
}
