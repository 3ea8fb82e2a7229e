package io.redislock.spring.boot;

import java.time.Duration;
import java.util.UUID;

import io.lettuce.core.RedisClient;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.testsupport.RedisServer;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** When there is a bean, and that it is one that works. */
class LocksBeanTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ApplicationContextRunner runner = Contexts.on(RedisServer.shared());
    private final String key = "bean:" + UUID.randomUUID();

    @Test
    void locksAreOnTheRedisOfTheApplication() {
        runner.run(context -> {
            ReactiveRedisLocks locks = context.getBean(ReactiveRedisLocks.class);
            ReactiveStringRedisTemplate redis = context.getBean(ReactiveStringRedisTemplate.class);

            Boolean held = locks.withLock(key, lock -> redis.opsForValue().get(key).map(lock.value()::equals))
                    .block(PATIENCE);

            assertThat(held).isTrue();
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

    /** Else the first request would connect, and an event loop be blocked for it. */
    @Test
    void locksAreConnectedAtTheStartAlsoWhereOtherBeansAreLazy() {
        Contexts.runner().withPropertyValues("spring.data.redis.port=1")
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void anAspectMayProxyTheBeanByItsClass() {
        runner.withUserConfiguration(Proxies.class).run(context -> {
            ReactiveRedisLocks locks = context.getBean(ReactiveRedisLocks.class);

            assertThat(AopUtils.isCglibProxy(locks)).isTrue();
            assertThat(locks.withLock(key, lock -> Mono.just("done")).block(PATIENCE)).isEqualTo("done");
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
    void aConnectionFactoryOfTheUsersOwnIsUsedWhateverItIsDeclaredAs() {
        runner.withUserConfiguration(OwnFactory.class).run(context -> {
            assertThat(context).hasSingleBean(RedisConnectionFactory.class);
            assertThat(context.getBean(ReactiveRedisLocks.class).acquire(key).block(PATIENCE)).isNotNull();
        });
    }

    @Test
    void ofSeveralConnectionFactoriesThePrimaryOneIsUsed() {
        runner.withUserConfiguration(PrimaryAndOther.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(ReactiveRedisLocks.class).acquire(key).block(PATIENCE)).isNotNull();
        });
    }

    @Test
    void thereIsNoneWhereAnotherClientIsUsed() {
        runner.withPropertyValues("spring.data.redis.client-type=jedis").run(context -> assertThat(context)
                .hasNotFailed()
                .hasSingleBean(JedisConnectionFactory.class)
                .doesNotHaveBean(ReactiveRedisLocks.class));
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

    @Configuration(proxyBeanMethods = false)
    static class Proxies {

        @Bean
        static BeanNameAutoProxyCreator proxies() {
            BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
            creator.setProxyTargetClass(true);
            creator.setBeanNames("*Locks*");
            return creator;
        }
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
            return ReactiveRedisLocks.create((RedisClient) factory.getRequiredNativeClient());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnFactory {

        @Bean
        RedisConnectionFactory ownFactory() {
            LettuceConnectionFactory factory = factory(RedisServer.shared().port());
            factory.setEarlyStartup(false); // as late as it can be
            return factory;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryAndOther {

        @Bean
        @Primary
        LettuceConnectionFactory primary() {
            return factory(RedisServer.shared().port());
        }

        @Bean
        LettuceConnectionFactory other() {
            return factory(1);
        }
    }

    private static LettuceConnectionFactory factory(int port) {
        return new LettuceConnectionFactory(RedisServer.shared().host(), port);
    }
}
