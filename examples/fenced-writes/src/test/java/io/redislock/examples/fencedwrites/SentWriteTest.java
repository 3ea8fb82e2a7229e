package io.redislock.examples.fencedwrites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.Function;

import io.lettuce.core.RedisClient;
import io.redislock.LockLoss;
import io.redislock.LockLostException;
import io.redislock.LockOptions;
import io.redislock.reactor.ReactiveRedisLocks;
import io.redislock.testsupport.EmbeddedRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/**
 * {@code withLock} cancels the work when the lease is lost, but cannot call back what was sent. Something stands
 * between A and the table, say a queue, and hands on what A has sent when another holder has long written.
 */
class SentWriteTest {

    private static final Duration LONGEST = Duration.ofSeconds(20);
    private static final LockOptions SHORT = LockOptions.defaults()
            .expiry(Duration.ofSeconds(1))
            .waitAtMost(Duration.ofSeconds(10))
            .fenced();

    private final EmbeddedRedis redis = EmbeddedRedis.start();
    private final RedisClient client = RedisClient.create(redis.uri());
    private final ReactiveRedisLocks locks = ReactiveRedisLocks.create(client);
    private final TestDatabase database = new TestDatabase();

    @AfterEach
    void close() {
        database.close();
        client.shutdown();
        redis.close();
    }

    @Test
    void whatArrivesAfterTheLaterHolderHasWrittenIsRefused() {
        assertThat(aWriteOfAThatArrivesAfterThatOfB(SqlReports::checked)).isEqualTo("refused, B");
    }

    @Test
    void withoutTheCheckItOverwrites() {
        assertThat(aWriteOfAThatArrivesAfterThatOfB(SqlReports::unchecked)).isEqualTo("accepted, A");
    }

    private String aWriteOfAThatArrivesAfterThatOfB(Function<Database, Reports> kind) {
        Reports table = kind.apply(database.database());
        Queue queue = new Queue(table);

        assertThatThrownBy(() -> write("A", queue)).isInstanceOfSatisfying(LockLostException.class,
                lost -> assertThat(lost.reason()).isEqualTo(LockLoss.EXPIRED));
        assertThat(queue.sent).isNotNull();
        assertThat(write("B", table)).isTrue();
        boolean accepted = queue.sent.block(LONGEST);

        return Reports.answer(accepted) + ", " + table.read("r").block(LONGEST);
    }

    private Boolean write(String content, Reports to) {
        return locks.withLock("publish:r", SHORT,
                        lock -> to.write("r", content, lock.fencingToken().orElseThrow()))
                .block(LONGEST);
    }

    /** Keeps what was sent. That the sender does not listen any more changes nothing. */
    private static final class Queue implements Reports {

        private final Reports table;
        private volatile Mono<Boolean> sent;

        Queue(Reports table) {
            this.table = table;
        }

        @Override
        public Mono<Boolean> write(String id, String content, long token) {
            return Mono.defer(() -> {
                sent = table.write(id, content, token);
                return Mono.never(); // no answer yet
            });
        }

        @Override
        public Mono<String> read(String id) {
            return table.read(id);
        }
    }
}
