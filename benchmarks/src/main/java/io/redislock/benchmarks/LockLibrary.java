package io.redislock.benchmarks;

import java.time.Duration;
import java.util.Map;

import io.lettuce.core.RedisURI;

/** Who is measured. */
enum LockLibrary {

    /** The library of this project, as a user meets it. */
    REACTIVE_REDIS_LOCK("reactive-redis-lock", "reactive-redis-lock", "", ReactiveRedisLockClient::new),
    /** What one would write by hand, and the practical limit: the same scripts through Lettuce's reactive API. */
    LETTUCE("lettuce", "Lettuce by hand", "lettuce", LettuceLockClient::new),
    /** {@code RedissonReactiveClient}. */
    REDISSON("redisson", "Redisson", "redisson", RedissonLockClient::new),
    /** {@code RedisLockRegistry}, which blocks threads. */
    SPRING_INTEGRATION("spring-integration", "Spring Integration", "springIntegration",
            SpringIntegrationLockClient::new),
    /** {@code SET NX PX} until it succeeds, through Lettuce's reactive API. */
    POLLING("polling", "polling", "", PollingLockClient::new);

    private interface Opening {
        LockClient open(RedisURI redis, Duration lease);
    }

    /** Longer than any suite holds a key, so that no lease ends by itself. */
    static final Duration LEASE = Duration.ofMinutes(10);

    private final String label;
    private final String title;
    private final String versionName;
    private final Opening opening;

    LockLibrary(String label, String title, String versionName, Opening opening) {
        this.label = label;
        this.title = title;
        this.versionName = versionName;
        this.opening = opening;
    }

    /** Its name in the results. */
    String label() {
        return label;
    }

    /** Its name for people. */
    String title() {
        return title;
    }

    /** The same with its version, where there is one to tell. */
    String title(Map<String, String> versions) {
        String version = versions.getOrDefault(versionName, "").replace(".RELEASE", "");
        return version.isEmpty() ? title : title + " " + version;
    }

    /** A client with connections of its own. */
    LockClient open(RedisURI redis) {
        return opening.open(redis, LEASE);
    }

    /** Keys that no other library sees, whose types they would not understand. */
    String key(String name) {
        return "benchmark:" + label + ":" + name;
    }
}
