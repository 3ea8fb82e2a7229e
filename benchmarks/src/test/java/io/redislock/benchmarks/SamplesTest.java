package io.redislock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

class SamplesTest {

    @Test
    void medianIsTheOneInTheMiddleWhateverTheOrder() {
        assertThat(Samples.median(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
    }

    @Test
    void medianOfAnEvenNumberIsTheMeanOfTheTwoInTheMiddle() {
        assertThat(Samples.median(List.of(4.0, 1.0, 100.0, 2.0))).isEqualTo(3);
    }

    @Test
    void percentileIsTheSmallestValueThatSoManyDoNotExceed() {
        List<Double> oneToHundred = IntStream.rangeClosed(1, 100).mapToObj(i -> (double) i).toList();
        assertThat(Samples.percentile(oneToHundred, 50)).isEqualTo(50);
        assertThat(Samples.percentile(oneToHundred, 99)).isEqualTo(99);
        assertThat(Samples.percentile(List.of(7.0), 99)).isEqualTo(7);
    }

    @Test
    void nothingHasNoMedian() {
        assertThatIllegalArgumentException().isThrownBy(() -> Samples.median(List.of()));
    }
}
