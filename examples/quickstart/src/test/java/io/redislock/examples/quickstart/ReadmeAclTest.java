package io.redislock.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import io.lettuce.core.RedisClient;
import io.redislock.LockOptions;
import io.redislock.reactor.FencedWrites;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.testsupport.EmbeddedRedis;
import org.junit.jupiter.api.Test;

/** The rights that the README asks for are enough: the first ones without fencing, and with the others for it. */
class ReadmeAclTest {

    private static final String COMMAND = "ACL SETUSER locks ";

    @Test
    void aUserWithTheFirstRightsOfTheReadmeCanDoEverythingButFencing() throws IOException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(printed, true, StandardCharsets.UTF_8);
        try (EmbeddedRedis redis = redisWith(rights().get(0))) {
            assertThat(Quickstart.run(print, print, uri(redis))).as(printed.toString(StandardCharsets.UTF_8)).isZero();
        }
    }

    @Test
    void aUserWithAllRightsOfTheReadmeCanHaveFencedLocksAndWrites() throws IOException {
        LockOptions fenced = LockOptions.defaults().fenced();
        assertThat(rights()).hasSize(2);
        try (EmbeddedRedis redis = redisWith(String.join(" ", rights()));
                RedisClient client = RedisClient.create(uri(redis))) {
            ReactiveRedisLocks locks = ReactiveRedisLocks.builder(client).keyPrefix("quickstart:").build();
            FencedWrites writes = FencedWrites.create(client);

            Boolean done = locks.withLock("report", fenced, lock -> {
                long token = lock.fencingToken().orElseThrow();
                return lock.extend(Duration.ofMinutes(1))
                        .filter(extended -> extended)
                        .flatMap(extended -> writes.set("quickstart:destination", "report", token))
                        .filter(written -> written)
                        .flatMap(written -> writes.delete("quickstart:destination", token));
            }).block(Duration.ofSeconds(30));

            assertThat(done).isTrue();
        }
    }

    private static List<String> rights() throws IOException {
        return Readme.blocks("redis").stream()
                .filter(text -> text.startsWith(COMMAND))
                .map(command -> command.substring(COMMAND.length()))
                .toList();
    }

    private static EmbeddedRedis redisWith(String rights) {
        return EmbeddedRedis.start("user default off", "user locks " + rights);
    }

    private static String uri(EmbeddedRedis redis) {
        return redis.uri().replace("redis://", "redis://locks:secret@");
    }
}
