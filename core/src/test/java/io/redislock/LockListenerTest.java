package io.redislock;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Whoever listens to one event implements one method, and a later version may add events. */
class LockListenerTest {

    private final LockListener listener = new LockListener() { };

    static Stream<Named<Method>> events() {
        return Arrays.stream(LockListener.class.getDeclaredMethods()).filter(method -> !method.isSynthetic())
                .map(method -> Named.of(method.getName(), method));
    }

    @Test
    void thereIsAMethodForEachEvent() {
        assertThat(events().map(Named::getName)).containsExactlyInAnyOrder("acquired", "busyAttempt", "waiting",
                "waitEnded", "notAcquired", "unavailable", "abandoned", "extended", "suspect", "lost", "released",
                "releaseFailed");
    }

    @ParameterizedTest
    @MethodSource("events")
    void eventIsADefaultMethodThatReturnsNothing(Method event) {
        assertThat(event.isDefault()).isTrue();
        assertThat(event.getReturnType()).isEqualTo(void.class);
        assertThat(event.getExceptionTypes()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("events")
    void eventNamesTheLockByMetricNameAndKeyFirst(Method event) {
        assertThat(List.of(event.getParameterTypes()).subList(0, 2)).containsExactly(String.class, String.class);
    }

    @ParameterizedTest
    @MethodSource("events")
    void eventDoesNothingByDefault(Method event) throws ReflectiveOperationException {
        Object[] arguments = Arrays.stream(event.getParameterTypes()).map(LockListenerTest::some).toArray();

        assertThat(event.invoke(listener, arguments)).isNull();
    }

    /** Not even with arguments that no caller brings: there is nothing in it that could fail. */
    @ParameterizedTest
    @MethodSource("events")
    void eventLooksAtNoArgumentByDefault(Method event) throws ReflectiveOperationException {
        Object[] arguments = Arrays.stream(event.getParameterTypes())
                .map(type -> type == long.class ? (Object) 0L : null).toArray();

        assertThat(event.invoke(listener, arguments)).isNull();
    }

    @Test
    void interfaceHoldsNothingElse() {
        assertThat(LockListener.class).isInterface().isPublic();
        assertThat(LockListener.class.getDeclaredFields()).filteredOn(field -> !field.isSynthetic()).isEmpty();
        assertThat(LockListener.class.getMethods()).noneMatch(method -> Modifier.isStatic(method.getModifiers()));
    }

    private static Object some(Class<?> type) {
        if (type == String.class) {
            return "jobs:nightly";
        } else if (type == Duration.class) {
            return Duration.ofMillis(5);
        } else if (type == long.class) {
            return 1L;
        } else if (type == LockLoss.class) {
            return LockLoss.EXPIRED;
        } else if (type == LockUnavailableException.class) {
            return new LockUnavailableException("jobs:nightly", "no answer", null, true);
        }
        throw new IllegalArgumentException("An event has a parameter that this test does not know: " + type);
    }
}
