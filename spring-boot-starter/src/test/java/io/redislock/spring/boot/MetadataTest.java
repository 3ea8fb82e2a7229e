package io.redislock.spring.boot;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;

import io.redislock.LockOptions;
import org.junit.jupiter.api.Test;
import org.springframework.boot.convert.DurationStyle;

import static org.assertj.core.api.Assertions.assertThat;

/** What an editor shows of the properties is all of them, explained, and true. */
class MetadataTest {

    @Test
    void everyPropertyIsThereAndExplained() throws IOException {
        Map<String, Map<String, Object>> properties = Metadata.properties();

        assertThat(properties.keySet()).containsExactlyInAnyOrder("management.health.redislock.enabled",
                "redislock.auto-renew", "redislock.close-timeout", "redislock.command-timeout", "redislock.enabled",
                "redislock.expiry", "redislock.fail-fast", "redislock.fenced", "redislock.fencing-retention",
                "redislock.jitter", "redislock.key-prefix",
                "redislock.max-retries", "redislock.max-retry-delay", "redislock.name", "redislock.retry-delay",
                "redislock.wait-at-most");
        assertThat(properties.values()).allSatisfy(property -> {
            assertThat(property.get("type")).asString().startsWith("java.");
            assertThat(property.get("description")).asString().endsWith(".").doesNotContain("{@");
        });
    }

    /** So that an option that the library gets is not forgotten here. */
    @Test
    void everyLockOptionHasItsProperty() throws IOException {
        Stream<String> options = Arrays.stream(LockOptions.class.getMethods())
                .filter(method -> method.getReturnType() == LockOptions.class)
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .map(method -> method.getName())
                .flatMap(name -> name.equals("retry") ? Stream.of("maxRetries", "retryDelay") : Stream.of(name))
                .map(name -> "redislock." + name.replaceAll("([A-Z])", "-$1").toLowerCase());

        assertThat(Metadata.properties().keySet()).containsAll(options.toList());
    }

    @Test
    void theDefaultsAreThoseOfTheLibrary() throws IOException {
        LockOptions defaults = LockOptions.defaults();

        assertThat(duration("expiry")).isEqualTo(defaults.expiry());
        assertThat(duration("retry-delay")).isEqualTo(defaults.retryDelay());
        assertThat(duration("max-retry-delay")).isEqualTo(defaults.maxRetryDelay());
        assertThat(duration("command-timeout")).isEqualTo(defaults.commandTimeout());
        assertThat(defaultOf("max-retries")).isEqualTo((int) defaults.maxRetries());
        assertThat(defaultOf("jitter")).isEqualTo(defaults.jitter());
        assertThat(defaultOf("name")).isEqualTo(defaults.name());
        assertThat(defaultOf("wait-at-most")).isNull();
        assertThat(defaults.waitAtMost()).isEmpty();
        assertThat(defaultOf("auto-renew")).isNull();
        assertThat(defaults.maxHold()).isEmpty();
        assertThat(defaultOf("fenced")).isEqualTo(defaults.isFenced());
    }

    private static Duration duration(String property) throws IOException {
        return DurationStyle.detectAndParse(String.valueOf(defaultOf(property)));
    }

    private static Object defaultOf(String property) throws IOException {
        return Metadata.properties().get("redislock." + property).get("defaultValue");
    }
}
