package io.redislock.examples.pipelines;

import java.time.Duration;

import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.testsupport.EmbeddedRedis;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import reactor.core.publisher.Mono;

/** An empty Redis, and two processes on it, for each test. */
final class OnRedis implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

    /** The bound of every wait; far more than any of them takes. */
    static final Duration SOON = Duration.ofSeconds(30);

    private EmbeddedRedis redis;
    private TwoProcesses processes;

    @Override
    public void beforeAll(ExtensionContext context) {
        redis = EmbeddedRedis.start();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        processes = new TwoProcesses(redis.uri());
        processes.redis().flushall().block(SOON);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        processes.close();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        redis.close();
    }

    TwoProcesses processes() {
        return processes;
    }

    ReactiveRedisLocks a() {
        return processes.a();
    }

    ReactiveRedisLocks b() {
        return processes.b();
    }

    String get(String key) {
        return processes.redis().get(key).block(SOON);
    }

    Mono<Long> delete(String key) {
        return Mono.defer(() -> processes.redis().del(key));
    }

    /** Fails when the key is not gone in time. */
    void awaitNo(String key) {
        Mono.defer(() -> processes.redis().exists(key)).repeat().takeUntil(found -> found == 0).blockLast(SOON);
    }
}
