package io.redislock.testsupport;

/** Which kind of Redis the tests of this JVM run on. */
enum RedisChoice {

    DOCKER {
        @Override
        RedisServer start(String... config) {
            return ContainerRedis.start(config);
        }
    },

    EMBEDDED {
        @Override
        RedisServer start(String... config) {
            return EmbeddedRedis.start(config);
        }
    },

    URI {
        @Override
        RedisServer start(String... config) {
            if (config.length > 0) {
                // Ignoring the lines would let a test pass on a server that is not what the test is about.
                throw new UnsupportedOperationException("A server given by -D" + PROPERTY + "=" + property()
                        + " cannot be configured; this test needs: " + String.join("; ", config));
            }
            return ExternalRedis.at(property());
        }
    };

    static final String PROPERTY = "redislock.redis";

    abstract RedisServer start(String... config);

    static RedisChoice ofThisJvm() {
        String wish = property();
        if (wish.isEmpty()) {
            return ContainerRedis.engineAnswers() ? DOCKER : EMBEDDED;
        }
        return of(wish);
    }

    static RedisChoice of(String wish) {
        if (wish.equals("docker")) {
            return DOCKER;
        }
        if (wish.equals("embedded")) {
            return EMBEDDED;
        }
        if (wish.startsWith("redis://") || wish.startsWith("rediss://")) {
            return URI;
        }
        throw new IllegalArgumentException(
                "-D" + PROPERTY + "=" + wish + " is none of: docker, embedded, redis://host:port, or empty");
    }

    private static String property() {
        return System.getProperty(PROPERTY, "").trim();
    }
}
