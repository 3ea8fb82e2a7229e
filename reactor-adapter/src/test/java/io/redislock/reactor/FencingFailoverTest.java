package io.redislock.reactor;

import java.time.Duration;

import io.lettuce.core.RedisClient;
import io.redislock.LockOptions;
import io.redislock.protocol.LockKey;
import io.redislock.testsupport.EmbeddedRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** A replica takes over that has missed what the master did last. */
class FencingFailoverTest {

    private static final LockOptions FENCED = LockOptions.defaults().expiry(Duration.ofSeconds(60)).fenced();

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onTheSharedServer();

    private final String key = FIXTURE.freshKey();
    private final String companion = LockKey.of("", key).companion();

    @Test
    void tokensGoOnAtAReplicaThatMissedTheLastAcquisitions() {
        try (EmbeddedRedis master = EmbeddedRedis.start("repl-diskless-sync-delay 0");
                EmbeddedRedis replica = EmbeddedRedis.start("replicaof 127.0.0.1 " + master.port())) {
            ReactiveRedisLocks onMaster = locksOn(master);
            RedisClient raw = FIXTURE.client(replica.uri(), FIXTURE.client().getOptions());
            try (var connection = raw.connect()) {
                long replicated = token(onMaster);
                Await.until("the replica has it", () ->
                        connection.sync().exists(companion) == 1 && connection.sync().exists(key) == 0);
                connection.sync().replicaofNoOne();
                long missed = token(onMaster);
                for (int i = 0; i < 100; i++) {
                    missed = token(onMaster);
                }
                master.kill();

                ReactiveRedisLocks onReplica = locksOn(replica);

                assertThat(connection.sync().get(companion)).isEqualTo(Long.toString(replicated));
                assertThat(token(onReplica)).isGreaterThan(missed);
            }
        }
    }

    private long token(ReactiveRedisLocks locks) {
        return locks.withLock(key, FENCED, lock -> Mono.just(lock.fencingToken().getAsLong())).block(Await.PATIENCE);
    }

    private static ReactiveRedisLocks locksOn(EmbeddedRedis server) {
        return FIXTURE.locks(FIXTURE.client(server.uri(), FIXTURE.client().getOptions()), builder -> builder);
    }
}
