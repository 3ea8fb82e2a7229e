package io.redislock.examples.webflux;

import java.util.List;
import java.util.Set;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.config.CorsRegistry;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.server.WebFilter;

/**
 * The page of one replica may talk to the other one, which to a browser is another origin; the pages of others may not,
 * whatever name they go by.
 */
@Configuration
class PageSecurity implements WebFluxConfigurer {

    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

    private final List<String> replicas;

    PageSecurity(OrdersProperties properties) {
        this.replicas = properties.ports().stream()
                .flatMap(port -> List.of("http://localhost:" + port, "http://127.0.0.1:" + port).stream())
                .toList();
    }

    @Override
    public void addCorsMappings(CorsRegistry registry) {
        registry.addMapping("/**")
                .allowedOrigins(replicas.toArray(String[]::new))
                .exposedHeaders(HttpHeaders.RETRY_AFTER);
    }

    /**
     * A page of a foreign name that its owner points at this machine ("DNS rebinding") is of the same origin as what it
     * asks for. Only the name tells.
     */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    WebFilter hostOfThisMachine() {
        return (exchange, chain) -> {
            String host = exchange.getRequest().getURI().getHost();
            if (host != null && THIS_MACHINE.contains(host)) {
                return chain.filter(exchange);
            }
            exchange.getResponse().setStatusCode(HttpStatus.FORBIDDEN);
            return exchange.getResponse().setComplete();
        };
    }

    @Bean
    WebFilter contentSecurityPolicy() {
        String policy = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
                + "connect-src 'self' " + String.join(" ", replicas);
        return (exchange, chain) -> {
            HttpHeaders headers = exchange.getResponse().getHeaders();
            headers.set("Content-Security-Policy", policy);
            headers.set("X-Content-Type-Options", "nosniff");
            return chain.filter(exchange);
        };
    }
}
