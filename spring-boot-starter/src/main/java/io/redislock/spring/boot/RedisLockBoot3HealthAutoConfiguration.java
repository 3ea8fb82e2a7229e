package io.redislock.spring.boot;

import io.redislock.reactor.ReactiveRedisLocks;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.AbstractReactiveHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.ReactiveHealthIndicator;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Mono;

/**
 * The health contributor {@code redislock}, with the health classes that Spring Boot had up to 3.5.
 */
@AutoConfiguration(after = RedisLockAutoConfiguration.class)
@ConditionalOnClass({ReactiveHealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("redislock")
@ConditionalOnSingleCandidate(ReactiveRedisLocks.class)
public class RedisLockBoot3HealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = {"redislockHealthIndicator", "redislockHealthContributor"})
    ReactiveHealthIndicator redislockHealthContributor(ReactiveRedisLocks locks) {
        return new Indicator(locks);
    }

    private static final class Indicator extends AbstractReactiveHealthIndicator {

        private final ReactiveRedisLocks locks;

        Indicator(ReactiveRedisLocks locks) {
            super(HealthQuestion.DESCRIPTION);
            this.locks = locks;
        }

        @Override
        protected Mono<Health> doHealthCheck(Health.Builder builder) {
            return HealthQuestion.ask(locks).map(details -> builder.up().withDetails(details).build());
        }
    }
}
