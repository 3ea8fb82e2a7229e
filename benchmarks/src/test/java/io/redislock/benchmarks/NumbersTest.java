package io.redislock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            12345.6 | 12,346
            123.45  | 123
            99.97   | 100
            12.34   | 12.3
            1.234   | 1.23
            0.0625  | 0.063
            0       | 0
            2       | 2
            """)
    void showsThreeDigitsThatMatter(double value, String shown) {
        assertThat(Numbers.shown(value)).isEqualTo(shown);
    }
}
