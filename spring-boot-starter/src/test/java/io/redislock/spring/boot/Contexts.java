package io.redislock.spring.boot;

import java.util.List;
import java.util.stream.Stream;

import io.redislock.testsupport.RedisServer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

/** Application contexts with the auto-configuration and what it builds on, on whichever Spring Boot is there. */
final class Contexts {

    /** By name, because each Boot has half of them. That the right ones are there shows where Redis is used. */
    private static final List<String> NAMES = List.of(
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisReactiveAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisReactiveAutoConfiguration",
            "org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration");

    private Contexts() {
    }

    /** Without an address of Redis. */
    static ApplicationContextRunner runner() {
        return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(configurations()));
    }

    /** On this server. */
    static ApplicationContextRunner on(RedisServer redis) {
        return runner().withPropertyValues("spring.data.redis.url=" + redis.uri());
    }

    private static Class<?>[] configurations() {
        ClassLoader loader = Contexts.class.getClassLoader();
        Stream<Class<?>> there = NAMES.stream().filter(name -> ClassUtils.isPresent(name, loader))
                .map(name -> ClassUtils.resolveClassName(name, loader));
        return Stream.concat(there, Stream.of(RedisLockAutoConfiguration.class)).toArray(Class<?>[]::new);
    }
}
