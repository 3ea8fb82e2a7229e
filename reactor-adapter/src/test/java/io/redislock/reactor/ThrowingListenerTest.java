package io.redislock.reactor;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redislock.LockListener;
import io.redislock.LockLostException;
import io.redislock.LockNotAcquiredException;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import io.redislock.reactor.micrometer.MicrometerLockListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** A listener that throws at everything changes no result and no release, and the next one is told all the same. */
class ThrowingListenerTest {

    private static final Duration MINUTE = Duration.ofSeconds(60);
    private static final Duration BRIEF = Duration.ofMillis(200);
    private static final LockOptions OPTIONS = LockOptions.defaults().expiry(MINUTE).retry(0, MINUTE);

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final Set<String> thrownAt = ConcurrentHashMap.newKeySet();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder
            .defaults(OPTIONS).listener(throwing()).listener(new MicrometerLockListener(registry)));
    private final String key = FIXTURE.freshKey();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final PrintStream ordinaryErr = System.err;

    @BeforeEach
    void catchTheLog() {
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void giveTheLogBack() {
        System.setErr(ordinaryErr);
    }

    @Test
    void resultIsEmittedAndTheKeyReleased() {
        String result = locks.withLock(key, lock -> lock.extend(MINUTE).thenReturn("worked")).block(Await.PATIENCE);

        assertThat(result).isEqualTo("worked");
        assertThat(FIXTURE.exists(key)).isFalse();
        assertLogged("acquired", "extended", "released");
        assertThat(registry.get("redislock.hold").tag("outcome", "released").timer().count()).isEqualTo(1);
        assertThat(registry.get("redislock.held").gauge().value()).isZero();
    }

    @Test
    void busyIsBusyAndTheNextAttemptIsMade() {
        FIXTURE.put(key, "another", MINUTE);

        StepVerifier.create(locks.withLock(key, OPTIONS.retry(1, Duration.ofMillis(1)), lock -> Mono.just("worked")))
                .expectErrorSatisfies(error -> assertThat(error)
                        .isInstanceOfSatisfying(LockNotAcquiredException.class,
                                busy -> assertThat(busy.attempts()).isEqualTo(2)))
                .verify(Await.PATIENCE);

        assertLogged("busyAttempt", "waiting", "waitEnded", "notAcquired");
    }

    @Test
    void cancelledWaitIsAbandoned() {
        FIXTURE.put(key, "another", MINUTE);
        locks.acquire(key, OPTIONS.retry(1, MINUTE)).subscribe().dispose();

        Await.until("it is told", () -> thrownAt.contains("abandoned"));
        assertThat(FIXTURE.redis().get(key)).isEqualTo("another");
    }

    @Test
    void errorOfRedisIsUnavailable() {
        FIXTURE.redis().rpush(key, "a list");

        StepVerifier.create(locks.acquire(key)).verifyError(LockUnavailableException.class);

        assertLogged("unavailable");
    }

    @Test
    void lostLockCancelsItsWork() {
        StepVerifier.create(locks.withLock(key, OPTIONS.expiry(BRIEF), lock -> Mono.never()))
                .verifyError(LockLostException.class);

        assertLogged("acquired", "lost");
        assertThat(registry.get("redislock.hold").tag("outcome", "lost").timer().count()).isEqualTo(1);
    }

    @Test
    void releaseThatIsNotAnsweredIsRepeated() {
        RedisLock lock = locks.acquire(key, OPTIONS.commandTimeout(BRIEF)).block(Await.PATIENCE);
        FIXTURE.server().pause();
        StepVerifier.create(lock.extend(MINUTE)).verifyError(LockUnavailableException.class);
        assertThat(lock.release().block(Await.PATIENCE)).isFalse();

        FIXTURE.server().resume();

        Await.until("the key is deleted", () -> !FIXTURE.exists(key));
        assertLogged("suspect", "releaseFailed", "released");
    }

    private void assertLogged(String... events) {
        assertThat(thrownAt).contains(events);
        String logged = log.toString(StandardCharsets.UTF_8);
        assertThat(logged).contains("WARN io.redislock.LockListener - A lock listener threw");
        for (String event : events) {
            assertThat(logged).contains("IllegalStateException: thrown at " + event);
        }
    }

    private LockListener throwing() {
        return (LockListener) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {LockListener.class},
                (proxy, method, arguments) -> {
                    thrownAt.add(method.getName());
                    throw new IllegalStateException("thrown at " + method.getName());
                });
    }
}
