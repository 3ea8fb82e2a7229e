package io.redislock.spring.boot;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

import com.jayway.jsonpath.JsonPath;
import io.redislock.LockOptions;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.testsupport.EmbeddedRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** A whole service on WebFlux with Actuator, which has this starter among its dependencies and does nothing for it. */
@ExtendWith(OutputCaptureExtension.class)
class ServiceTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static final String WITHOUT_WEB = "--spring.main.web-application-type=none";

    private static EmbeddedRedis redis;
    private static ConfigurableApplicationContext service;

    @BeforeAll
    static void start() {
        redis = EmbeddedRedis.start();
        service = service("--redislock.command-timeout=1s");
    }

    @AfterAll
    static void end() {
        service.close();
        redis.close();
    }

    @Test
    void beansOfTheServiceUseLocks() {
        assertThat(service.getBean(Payments.class).charge("123").block(PATIENCE)).isEqualTo("receipt for 123");
    }

    @Test
    void locksAreCountedInTheMetersOfTheService() throws Exception {
        ReactiveRedisLocks locks = service.getBean(ReactiveRedisLocks.class);
        locks.withLock("service:1", LockOptions.defaults().name("counted"), lock -> Mono.just("done")).block(PATIENCE);

        HttpResponse<String> answer = get(service,
                "/actuator/metrics/redislock.acquire?tag=outcome:acquired&tag=lock:counted");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(JsonPath.<Double>read(answer.body(), "$.measurements[0].value")).isEqualTo(1.0);
    }

    @Test
    void healthIsUpAndToldInItsOwnWords() throws Exception {
        HttpResponse<String> answer = get(service, "/actuator/health/redislock");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(JsonPath.<String>read(answer.body(), "$.status")).isEqualTo("UP");
        assertThat(JsonPath.<Integer>read(answer.body(), "$.details.answeredInMillis")).isBetween(0, 1_000);
    }

    @Test
    void healthIsDownWithinTheCommandTimeoutWhileRedisDoesNotAnswer() throws Exception {
        redis.pause();
        try {
            long begun = System.nanoTime();
            HttpResponse<String> answer = get(service, "/actuator/health/redislock");

            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isBetween(Duration.ofMillis(900), Duration.ofSeconds(8));
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(JsonPath.<String>read(answer.body(), "$.status")).isEqualTo("DOWN");
            assertThat(JsonPath.<String>read(answer.body(), "$.details.error"))
                    .contains("LockUnavailableException", "redislock-health");
            assertThat(get(service, "/actuator/health/readiness").statusCode()).isEqualTo(503);
        } finally {
            redis.resume();
        }
        assertThat(get(service, "/actuator/health/redislock").statusCode()).isEqualTo(200);
        assertThat(get(service, "/actuator/health/readiness").statusCode()).isEqualTo(200);
    }

    @Test
    void healthCanBeSwitchedOffAlone() {
        try (ConfigurableApplicationContext without = service("--management.health.redislock.enabled=false",
                "--management.endpoint.health.group.readiness.include=readinessState", WITHOUT_WEB)) {
            assertThat(without.getBean(ReactiveRedisLocks.class)).isNotNull();
            assertThat(without.containsBean("redislockHealthContributor")).isFalse();
        }
        assertThat(service.containsBean("redislockHealthContributor")).isTrue();
    }

    @Test
    void aServiceThatStartsWithoutRedisIsDownUntilRedisIsThere() throws Exception {
        EmbeddedRedis late = EmbeddedRedis.start();
        late.kill();
        try (late; ConfigurableApplicationContext waiting =
                service("--spring.data.redis.port=" + late.port(), "--redislock.fail-fast=false")) {
            HttpResponse<String> down = get(waiting, "/actuator/health/redislock");
            assertThat(down.statusCode()).isEqualTo(503);
            assertThat(down.body()).contains("was not reached since the application was started");

            late.restart();

            await().atMost(Duration.ofSeconds(20))
                    .until(() -> get(waiting, "/actuator/health/redislock").statusCode() == 200);
        }
    }

    @Test
    void aServiceThatCannotReachRedisSaysSoInPlainWordsAndEnds(CapturedOutput output) {
        EmbeddedRedis gone = EmbeddedRedis.start();
        gone.kill();
        try (gone) {
            assertThatThrownBy(() -> service("--spring.data.redis.port=" + gone.port(), WITHOUT_WEB)).isNotNull();
        }
        assertThat(output).contains("APPLICATION FAILED TO START",
                "could not connect to Redis at 127.0.0.1:" + gone.port(), "redislock.fail-fast=false");
    }

    @Test
    void aServiceOnAClusterSaysSoInPlainWordsAndEnds(CapturedOutput output) {
        assertThatThrownBy(() -> service("--spring.data.redis.cluster.nodes=127.0.0.1:1", WITHOUT_WEB)).isNotNull();
        assertThat(output).contains("APPLICATION FAILED TO START", "do not work on Redis Cluster");
    }

    @Test
    void aBadValueIsToldWithItsPropertyAndWhereItIsFrom(CapturedOutput output) {
        assertThatThrownBy(() -> service("--redislock.expiry=2ms", WITHOUT_WEB)).isNotNull();
        assertThat(output).contains("APPLICATION FAILED TO START", "redislock.expiry", "at least 3 ms",
                "commandLineArgs");
    }

    private static ConfigurableApplicationContext service(String... arguments) {
        return new SpringApplicationBuilder(Service.class)
                .properties("server.port=0", "spring.main.banner-mode=off",
                        "spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port(),
                        "spring.data.redis.repositories.enabled=false",
                        "management.endpoint.health.show-details=always",
                        "management.endpoint.health.probes.enabled=true",
                        "management.endpoint.health.group.readiness.include=readinessState,redislock",
                        "management.endpoints.web.exposure.include=health,metrics")
                .run(arguments);
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext from, String path) throws Exception {
        String port = from.getEnvironment().getRequiredProperty("local.server.port");
        URI address = URI.create("http://127.0.0.1:" + port + path);
        return HTTP.send(HttpRequest.newBuilder(address).timeout(PATIENCE).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Payments.class)
    static class Service {

        @Bean
        Bank bank() {
            return orderId -> Mono.just("receipt for " + orderId);
        }

        /** Not the global resources of Reactor Netty, which the first service to be closed would close for all. */
        @Bean
        ReactorResourceFactory reactorResources() {
            ReactorResourceFactory resources = new ReactorResourceFactory();
            resources.setUseGlobalResources(false);
            return resources;
        }
    }
}
