package io.redislock.protocol;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

class OwnerValueTest {

    @ParameterizedTest
    @ValueSource(strings = {"host-1", " ", "\0", "größe", "锁", "\uD83D\uDD12"})
    void anyTextWithAnEncodingIsAnOwner(String value) {
        assertThat(OwnerValue.require(value)).isSameAs(value);
    }

    @Test
    void valueHasNoBoundOfOurs() {
        String value = "v".repeat(LockKey.MAX_BYTES + 1);

        assertThat(OwnerValue.require(value)).isSameAs(value);
    }

    @Test
    void nullIsRefusedByName() {
        assertThatNullPointerException().isThrownBy(() -> OwnerValue.require(null)).withMessage("value");
    }

    @Test
    void emptyValueIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> OwnerValue.require(""))
                .withMessage("value must not be empty: \"\"");
    }

    /** Both would be sent as "?", and two owners would be one. */
    @ParameterizedTest
    @ValueSource(strings = {"\uD83D", "\uDD12", "host\uD83D", "\uDD12host", "a\uD83Db"})
    void unpairedSurrogateIsRefused(String value) {
        assertThatIllegalArgumentException().isThrownBy(() -> OwnerValue.require(value))
                .withMessageStartingWith("value has an unpaired surrogate at index ");
    }
}
