package io.redislock.spring.boot;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redislock.LockListener;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.reactor.micrometer.MicrometerLockListener;
import io.redislock.testsupport.RedisServer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** Who is told what happens to locks. */
class ListenersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ApplicationContextRunner runner = Contexts.on(RedisServer.shared());

    @Test
    void theListenersOfTheApplicationAreToldInTheirOrder() {
        runner.withUserConfiguration(TwoListeners.class).run(context -> {
            lockOnce(context);

            assertThat(context.getBean(TwoListeners.class).told).containsExactly("first", "second");
        });
    }

    @Test
    void aMeterRegistryIsTold() {
        runner.withBean(SimpleMeterRegistry.class).withUserConfiguration(TwoListeners.class).run(context -> {
            lockOnce(context);

            assertThat(acquisitions(context.getBean(MeterRegistry.class))).isEqualTo(1);
            assertThat(context.getBean(TwoListeners.class).told).hasSize(2);
        });
    }

    @Test
    void aMicrometerListenerOfTheUsersOwnIsTheOnlyOne() {
        SimpleMeterRegistry other = new SimpleMeterRegistry();
        runner.withBean(SimpleMeterRegistry.class)
                .withBean(MicrometerLockListener.class, () -> new MicrometerLockListener(other)).run(context -> {
                    lockOnce(context);

                    assertThat(acquisitions(other)).isEqualTo(1);
                    assertThat(context.getBean(MeterRegistry.class).getMeters()).isEmpty();
                });
    }

    @Test
    void withoutMeterRegistryNobodyCounts() {
        runner.run(context -> {
            lockOnce(context);
            assertThat(context).doesNotHaveBean(MicrometerLockListener.class);
        });
    }

    @Test
    void withoutMicrometerThereAreLocks() {
        runner.withClassLoader(new FilteredClassLoader("io.micrometer")).run(context -> {
            lockOnce(context);
            assertThat(context).doesNotHaveBean(LockListener.class);
        });
    }

    private static void lockOnce(ApplicationContext context) {
        ReactiveRedisLocks locks = context.getBean(ReactiveRedisLocks.class);
        assertThat(locks.withLock("listeners:" + UUID.randomUUID(), lock -> Mono.just("done")).block(PATIENCE))
                .isEqualTo("done");
    }

    private static long acquisitions(MeterRegistry registry) {
        return registry.get("redislock.acquire").tag("outcome", "acquired").timer().count();
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoListeners {

        private final List<String> told = new CopyOnWriteArrayList<>();

        @Bean
        @Order(2)
        LockListener second() {
            return telling("second");
        }

        @Bean
        @Order(1)
        LockListener first() {
            return telling("first");
        }

        private LockListener telling(String who) {
            return new LockListener() {
                @Override
                public void acquired(String name, String key, Duration waited, long attempts) {
                    told.add(who);
                }
            };
        }
    }
}
