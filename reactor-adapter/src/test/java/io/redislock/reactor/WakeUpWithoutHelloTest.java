package io.redislock.reactor;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** A server, or a proxy before it, that speaks RESP2 only, and yet says yes to CLIENT TRACKING. */
class WakeUpWithoutHelloTest {

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn("rename-command HELLO \"\"");

    private final String key = FIXTURE.freshKey();

    @Test
    void itIsSaidThatLocksArePolledFor() {
        try (LoggedLines logged = new LoggedLines()) {
            ReactiveRedisLocks locks = FIXTURE.locks(builder -> builder);
            LocksFixture.settle(locks, key);

            assertThat(logged.with("polled for")).singleElement().asString().contains("INFO");
        }
    }
}
