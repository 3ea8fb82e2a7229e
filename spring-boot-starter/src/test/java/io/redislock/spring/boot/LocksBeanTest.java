package io.redislock.spring.boot;

import java.time.Duration;
import java.util.UUID;

import io.redislock.LockUnavailableException;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.testsupport.RedisServer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** When there is a bean, and that it is one that works. */
class LocksBeanTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ApplicationContextRunner runner = Contexts.on(RedisServer.shared().uri());
    private final String key = "bean:" + UUID.randomUUID();

    @Test
    void locksAreOnTheRedisOfTheApplication() {
        runner.run(context -> {
            ReactiveRedisLocks locks = context.getBean(ReactiveRedisLocks.class);
            ReactiveStringRedisTemplate redis = context.getBean(ReactiveStringRedisTemplate.class);

            String[] seen = locks.withLock(key, lock -> redis.opsForValue().get(key)
                    .map(value -> new String[] {value, lock.value()})).block(PATIENCE);

            assertThat(seen[0]).isEqualTo(seen[1]);
            assertThat(redis.hasKey(key).block(PATIENCE)).isFalse();
        });
    }

    @Test
    void beansCanUseLocksWhenTheyAreInitialised() {
        runner.withUserConfiguration(EarlyUser.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(EarlyUser.class).result).isEqualTo("done");
        });
    }

    @Test
    void aBeanOfTheUsersOwnIsLeftAlone() {
        runner.withUserConfiguration(OwnLocks.class).run(context -> {
            assertThat(context).hasSingleBean(ReactiveRedisLocks.class);
            assertThat(context.getBean(ReactiveRedisLocks.class)).isNotInstanceOf(SpringRedisLocks.class);
        });
    }

    @Test
    void thereIsNoneWhenItIsSwitchedOff() {
        runner.withPropertyValues("redislock.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ReactiveRedisLocks.class));
    }

    @Test
    void thereIsNoneWithoutSpringDataRedis() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.data"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ReactiveRedisLocks.class));
    }

    @Test
    void closingTheContextClosesTheLocksAndReleasesWhatIsHeld() {
        ReactiveRedisLocks[] locks = new ReactiveRedisLocks[1];
        runner.run(context -> {
            locks[0] = context.getBean(ReactiveRedisLocks.class);
            assertThat(locks[0].acquire(key).block(PATIENCE)).isNotNull();
        });

        assertThatThrownBy(() -> locks[0].acquire(key).block(PATIENCE)).isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("closed");
        runner.run(context -> assertThat(
                context.getBean(ReactiveStringRedisTemplate.class).hasKey(key).block(PATIENCE)).isFalse());
    }

    @Configuration(proxyBeanMethods = false)
    static class EarlyUser implements InitializingBean {

        private final ReactiveRedisLocks locks;
        private String result;

        EarlyUser(ReactiveRedisLocks locks) {
            this.locks = locks;
        }

        @Override
        public void afterPropertiesSet() {
            result = locks.withLock("early:" + UUID.randomUUID(), lock -> Mono.just("done")).block(PATIENCE);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnLocks {

        @Bean
        ReactiveRedisLocks ownLocks(LettuceConnectionFactory factory) {
            return ReactiveRedisLocks.create((io.lettuce.core.RedisClient) factory.getRequiredNativeClient());
        }
    }
}
