package io.redislock.reactor;

import java.time.Duration;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.TimeoutOptions;
import io.redislock.LockOptions;
import io.redislock.LockUnavailableException;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A command is given up by the client's timeout and by ours, in either order, and runs all the same. */
class TakeTimeoutsTest {

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    @ParameterizedTest(name = "client {0} ms, ours {1} ms")
    @CsvSource({"300, 800", "800, 300", "60000, 300"})
    void whatATakeGetsAfterBothTimeoutsIsGivenBack(long clientMillis, long ourMillis) throws Exception {
        FIXTURE.loadScripts();
        RedisClient client = FIXTURE.client(FIXTURE.server().uri(), ClientOptions.builder()
                .timeoutOptions(TimeoutOptions.enabled(Duration.ofMillis(clientMillis))).build());
        ReactiveRedisLocks locks = FIXTURE.locks(client, builder ->
                builder.defaults(LockOptions.defaults().commandTimeout(Duration.ofMillis(ourMillis))));
        String key = FIXTURE.freshKey();
        locks.query(key).block(Await.PATIENCE);
        long setsBefore = FIXTURE.calls("set");
        FIXTURE.server().pause();

        assertThatThrownBy(() -> locks.take(key, "mine", Duration.ofMinutes(5)).block(Await.PATIENCE))
                .isInstanceOfSatisfying(LockUnavailableException.class,
                        unavailable -> assertThat(unavailable.outcomeUnknown()).isTrue());
        Thread.sleep(1_000); // so that the other timeout, if it is not of a minute, has come too
        FIXTURE.server().resume();

        Await.until("the take has run", () -> FIXTURE.calls("set") > setsBefore);
        Await.until("it is given back", () -> !FIXTURE.exists(key));
    }
}
