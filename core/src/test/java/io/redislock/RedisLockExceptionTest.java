package io.redislock;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class RedisLockExceptionTest {

    @Test
    void outcomesAreAClosedSetOfPublicFinalClasses() {
        assertThat(RedisLockException.class).isAbstract().isPublic();
        assertThat(RedisLockException.class.isSealed()).isTrue();
        assertThat(RedisLockException.class.getPermittedSubclasses())
                .containsExactlyInAnyOrder(LockNotAcquiredException.class, LockLostException.class,
                        LockUnavailableException.class)
                .allSatisfy(outcome -> assertThat(outcome).isFinal().isPublic());
    }

    @Test
    void nobodyHasToCatchIt() {
        assertThat(RuntimeException.class).isAssignableFrom(RedisLockException.class);
    }

    @Test
    void baseCannotBeMadeFromOutside() {
        assertThat(Arrays.asList(RedisLockException.class.getDeclaredConstructors())).isNotEmpty();
        assertThat(RedisLockException.class.getConstructors()).isEmpty();
    }

    static Stream<RedisLockException> everyOutcome() {
        return Stream.of(
                new LockNotAcquiredException("jobs:nightly", 4, Duration.ofMillis(1_400), Duration.ofSeconds(12)),
                new LockNotAcquiredException("jobs:nightly", 1, Duration.ZERO, null),
                new LockLostException("jobs:nightly", LockLoss.TAKEN_OVER),
                new LockUnavailableException("jobs:nightly", "no answer", new IOException("reset"), true),
                new LockUnavailableException("jobs:nightly", "closed", null, false));
    }

    @ParameterizedTest
    @MethodSource("everyOutcome")
    void keyIsTheOneThatTheCallerGave(RedisLockException outcome) {
        assertThat(outcome.key()).isEqualTo("jobs:nightly");
    }

    @ParameterizedTest
    @MethodSource("everyOutcome")
    void suppressedErrorsAreKept(RedisLockException outcome) {
        IllegalStateException later = new IllegalStateException("the cleanup failed too");

        outcome.addSuppressed(later);

        assertThat(outcome).hasSuppressedException(later);
    }

    /** Exceptions travel: to another process by a job queue, or into a session store. */
    @ParameterizedTest
    @MethodSource("everyOutcome")
    void keyAndMessageSurviveSerialisation(RedisLockException outcome) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(outcome);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isInstanceOfSatisfying(outcome.getClass(), read -> {
                assertThat(read.key()).isEqualTo(outcome.key());
                assertThat(read).hasMessage(outcome.getMessage());
            });
        }
    }
}
