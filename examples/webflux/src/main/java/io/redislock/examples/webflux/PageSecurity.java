package io.redislock.examples.webflux;

import java.util.List;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.config.CorsRegistry;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.server.WebFilter;

/**
 * The page of one replica may talk to the other one, which to a browser is another origin; the pages of others may not.
 */
@Configuration
class PageSecurity implements WebFluxConfigurer {

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
