package io.redislock.spring.boot;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import io.redislock.LockListener;
import io.redislock.LockLoss;
import io.redislock.LockUnavailableException;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.reactor.RedisLock;
import io.redislock.testsupport.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

/** Locks end before the connection they are on, and begin again with it. */
class ContextLifecycleTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ApplicationContextRunner runner = Contexts.on(RedisServer.shared());
    private final String key = "lifecycle:" + UUID.randomUUID();

    @Test
    void closingTheContextReleasesWhatIsHeldAndEndsTheWork() {
        Events events = new Events();
        List<ReactiveRedisLocks> locks = new CopyOnWriteArrayList<>();
        runner.withBean(LockListener.class, () -> events).run(context -> {
            locks.add(context.getBean(ReactiveRedisLocks.class));
            locks.get(0).withLock(key, lock -> Mono.never()).subscribe(never -> { }, events::failed);
            events.await("acquired");
        });

        // The connection was there to the end: had its client been shut down first, the key would be left.
        assertThat(events.told).containsExactly("acquired", "lost CLOSED", "LockLostException");
        assertThatThrownBy(() -> locks.get(0).acquire(key).block(PATIENCE))
                .isInstanceOf(LockUnavailableException.class).hasMessageContaining("closed");
        runner.run(context -> assertThat(keyExists(context)).isFalse());
    }

    @Test
    void whatIsStoppedBeforeTheConnectionCanStillUseLocks() {
        LastUser user = new LastUser();
        runner.withBean(LastUser.class, () -> user)
                .run(context -> user.locks = context.getBean(ReactiveRedisLocks.class));

        assertThat(user.result).isEqualTo("done");
    }

    @Test
    void aContextThatIsStoppedAndStartedHasLocksAgain() {
        runner.run(context -> stopsAndStarts(context, context::stop, context::start));
    }

    /** As Spring's test framework does with contexts that are not in use. */
    @Test
    void aContextThatIsPausedAndRestartedHasLocksAgain() {
        Method pause = ReflectionUtils.findMethod(ConfigurableApplicationContext.class, "pause");
        Method restart = ReflectionUtils.findMethod(ConfigurableApplicationContext.class, "restart");
        assumeThat(pause).as("Spring Framework 7").isNotNull();

        runner.run(context -> stopsAndStarts(context,
                () -> ReflectionUtils.invokeMethod(pause, context.getSourceApplicationContext()),
                () -> ReflectionUtils.invokeMethod(restart, context.getSourceApplicationContext())));
    }

    private void stopsAndStarts(ConfigurableApplicationContext context, Runnable stop, Runnable start) {
        LettuceConnectionFactory factory = context.getBean(LettuceConnectionFactory.class);
        Object firstClient = factory.getNativeClient();
        ReactiveRedisLocks locks = context.getBean(ReactiveRedisLocks.class);
        Mono<String> madeBefore = locks.withLock(key, lock -> Mono.just("done"));
        RedisLock held = locks.acquire(key).block(PATIENCE);

        stop.run();

        assertThat(factory.isRunning()).isFalse();
        assertThat(held.isAcquired()).isFalse();
        assertThatThrownBy(() -> madeBefore.block(PATIENCE)).isInstanceOf(LockUnavailableException.class);

        start.run();

        assertThat(factory.getNativeClient()).isNotSameAs(firstClient);
        assertThat(madeBefore.block(PATIENCE)).isEqualTo("done");
        assertThat(locks.acquire(key).block(PATIENCE)).isNotNull();
    }

    @Test
    void locksThatTheApplicationClosesStayClosed() {
        runner.run(context -> {
            ReactiveRedisLocks locks = context.getBean(ReactiveRedisLocks.class);

            locks.close().block(PATIENCE);

            assertThatThrownBy(() -> locks.acquire(key).block(PATIENCE)).isInstanceOf(LockUnavailableException.class);
            assertThat(keyExists(context)).isFalse(); // and the connection is as it was
        });
    }

    private boolean keyExists(ConfigurableApplicationContext context) {
        return context.getBean(ReactiveStringRedisTemplate.class).hasKey(key).block(PATIENCE);
    }

    /** Stopped last of all before the connection factory, which is in phase 0, and the locks. */
    private static final class LastUser implements SmartLifecycle {

        private ReactiveRedisLocks locks;
        private String result = "not stopped";
        private boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            result = locks.withLock("last:" + UUID.randomUUID(), lock -> Mono.just("done")).block(PATIENCE);
            running = false;
        }

        @Override
        public int getPhase() {
            return 1;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }

    private static final class Events implements LockListener {

        private final List<String> told = new CopyOnWriteArrayList<>();

        @Override
        public void acquired(String name, String key, Duration waited, long attempts) {
            told.add("acquired");
        }

        @Override
        public void lost(String name, String key, LockLoss reason, Duration heldFor) {
            told.add("lost " + reason);
        }

        @Override
        public void releaseFailed(String name, String key) {
            told.add("release failed");
        }

        void failed(Throwable failure) {
            told.add(failure.getClass().getSimpleName());
        }

        void await(String event) {
            Awaitility.await().atMost(PATIENCE).until(() -> told.contains(event));
        }
    }
}
