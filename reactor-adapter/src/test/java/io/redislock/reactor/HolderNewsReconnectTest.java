package io.redislock.reactor;

import java.time.Duration;

import io.lettuce.core.ClientOptions;
import io.redislock.LockOptions;
import io.redislock.LockState;
import io.redislock.testsupport.FaultProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static io.redislock.LockLoss.DELETED;
import static io.redislock.LockLoss.TAKEN_OVER;
import static org.assertj.core.api.Assertions.assertThat;

/** What was done to a held key while the connection was broken is told when it is there again. */
class HolderNewsReconnectTest {

    private static final LockOptions HELD = LockOptions.defaults().expiry(Duration.ofMinutes(1));

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onAServerOfItsOwn();

    private final String key = FIXTURE.freshKey();
    private FaultProxy proxy;
    private ReactiveRedisLocks locks;
    private RedisLock lock;

    @BeforeEach
    void holdThroughTheProxy() {
        proxy = FaultProxy.to(FIXTURE.server());
        locks = FIXTURE.locks(FIXTURE.client(proxy.uri(), ClientOptions.create()), builder -> builder);
        lock = locks.acquire(key, HELD).block(Await.PATIENCE);
    }

    @AfterEach
    void disconnect() {
        proxy.reset();
        proxy.refuse(false);
        locks.close().block(Await.PATIENCE);
        proxy.close();
    }

    @Test
    void deletionDuringADisconnectIsTold() {
        proxy.refuse(true);
        proxy.cut();
        FIXTURE.redis().del(key);
        assertThat(lock.state()).isEqualTo(LockState.HELD);

        proxy.refuse(false);

        assertThat(lock.lost().block(Await.PATIENCE)).isEqualTo(DELETED);
    }

    @Test
    void takeoverDuringADisconnectIsTold() {
        proxy.refuse(true);
        proxy.cut();
        FIXTURE.put(key, "stranger", Duration.ofMinutes(1));

        proxy.refuse(false);

        assertThat(lock.lost().block(Await.PATIENCE)).isEqualTo(TAKEN_OVER);
    }

    @Test
    void newsThatWentIntoABlackHoleIsToldOnTheNextConnection() {
        proxy.blackhole(true);
        FIXTURE.redis().del(key);
        proxy.cut();

        proxy.blackhole(false);

        assertThat(lock.lost().block(Await.PATIENCE)).isEqualTo(DELETED);
    }

    @Test
    void serverThatLostItsDataIsNoticed() {
        FIXTURE.restartServer();

        assertThat(lock.lost().block(Await.PATIENCE)).isEqualTo(DELETED);
    }

    @Test
    void reconnectAloneLosesNothing() {
        reconnect();

        assertThat(lock.state()).isEqualTo(LockState.HELD);
        assertThat(lock.release().block(Await.PATIENCE)).isTrue();
    }

    @Test
    void keyIsWatchedOnAfterAReconnect() {
        reconnect();

        FIXTURE.redis().del(key);

        assertThat(lock.lost().block(Await.PATIENCE)).isEqualTo(DELETED);
    }

    private void reconnect() {
        long before = proxy.accepted();
        proxy.cut();
        Await.until("it is connected again", () -> proxy.accepted() > before);
        LocksFixture.settle(locks, "unused");
    }
}
