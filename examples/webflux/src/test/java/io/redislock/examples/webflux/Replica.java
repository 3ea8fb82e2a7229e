package io.redislock.examples.webflux;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.redislock.testsupport.RedisServer;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The service in this JVM, on a port of its own, with {@link GatedPayments}; and a client that speaks HTTP to it. */
final class Replica implements AutoCloseable {

    /** An answer to a request. */
    record Answer(int status, HttpHeaders headers, Map<String, Object> body) {

        long retryAfter() {
            return Long.parseLong(String.valueOf(headers.getFirst(HttpHeaders.RETRY_AFTER)));
        }
    }

    private static final ParameterizedTypeReference<Map<String, Object>> JSON = new ParameterizedTypeReference<>() {
    };

    private final ConfigurableApplicationContext context;
    private final WebClient client;

    private Replica(ConfigurableApplicationContext context) {
        this.context = context;
        this.client = WebClient.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
    }

    /** Starts it, and blocks until it answers. */
    static Replica start(String name, RedisServer redis, GatedPayments payments, String... settings) {
        List<String> all = new ArrayList<>(List.of("--server.port=0", "--orders.replica=" + name,
                "--spring.data.redis.url=" + redis.uri()));
        all.addAll(List.of(settings));
        return new Replica(new SpringApplicationBuilder(Application.class)
                .initializers((GenericApplicationContext starting) -> {
                    starting.registerBean("gatedPayments", Payments.class, () -> payments,
                            bean -> bean.setPrimary(true));
                    starting.registerBean(ReactorResourceFactory.class, Replica::ownResources);
                })
                .run(all.toArray(String[]::new)));
    }

    /** A context that closes would end the event loops of all others too: by default they share them. */
    private static ReactorResourceFactory ownResources() {
        ReactorResourceFactory resources = new ReactorResourceFactory();
        resources.setUseGlobalResources(false);
        return resources;
    }

    /** What is answered to {@code POST /orders/...}. Cancelling closes the connection. */
    Mono<Answer> post(String pathAndQuery) {
        return client.post().uri(pathAndQuery).exchangeToMono(response -> response.toEntity(JSON)).map(Replica::answer);
    }

    /** Sends a request now. */
    CompletableFuture<Answer> process(String order) {
        return post("/orders/" + order + "/process").toFuture();
    }

    /** What the page hears. */
    Flux<ServerSentEvent<Map<String, Object>>> live() {
        return client.get().uri("/live").retrieve().bodyToFlux(new ParameterizedTypeReference<>() {
        });
    }

    Board board() {
        return context.getBean(Board.class);
    }

    /** What the lock of an order holds in Redis; null when it is free. */
    String valueInRedis(String order) {
        return redis().opsForValue().get("webflux:order:" + order).block(Duration.ofSeconds(10));
    }

    void deleteInRedis(String order) {
        redis().delete("webflux:order:" + order).block(Duration.ofSeconds(10));
    }

    private ReactiveStringRedisTemplate redis() {
        return context.getBean(ReactiveStringRedisTemplate.class);
    }

    private static Answer answer(ResponseEntity<Map<String, Object>> entity) {
        Map<String, Object> body = entity.getBody();
        return new Answer(entity.getStatusCode().value(), entity.getHeaders(), body == null ? Map.of() : body);
    }

    @Override
    public void close() {
        context.close();
    }
}
