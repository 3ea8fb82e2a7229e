package io.redislock.benchmarks;

import org.jspecify.annotations.Nullable;

/**
 * One value of one library.
 *
 * @param suite the suite that measured it
 * @param measure what of it
 * @param library the {@link LockLibrary#label()}
 * @param vsLettuce the value divided by that of Lettuce under the same conditions, when there is one
 * @param vsRedisson the same for Redisson
 */
record Row(String suite, String measure, String library, Setting setting, double value, String unit,
        @Nullable Double vsLettuce, @Nullable Double vsRedisson) {

    static Row of(String suite, String measure, LockLibrary library, Setting setting, double value, String unit) {
        return new Row(suite, measure, library.label(), setting, value, unit, null, null);
    }

    Row with(@Nullable Double vsLettuce, @Nullable Double vsRedisson) {
        return new Row(suite, measure, library, setting, value, unit, vsLettuce, vsRedisson);
    }

    /** Whether both measured the same thing under the same conditions. */
    boolean comparesWith(Row other) {
        return suite.equals(other.suite) && measure.equals(other.measure) && setting.equals(other.setting);
    }
}
