package io.redislock.reactor;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

import io.lettuce.core.ClientOptions;
import io.redislock.LockOptions;
import io.redislock.testsupport.FaultProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** A call that has ended keeps nothing of its caller in memory, long before the client's own timeout of a minute. */
class NothingKeptTest {

    private static final int CALLS = 500;
    /** A queue somewhere may hold on to its last element. */
    private static final int ALLOWED = CALLS / 50;

    @RegisterExtension
    static final LocksFixture FIXTURE = LocksFixture.onTheSharedServer();

    private final List<WeakReference<byte[]>> requests = new CopyOnWriteArrayList<>();

    @Test
    void finishedCallsKeepNothing() {
        Flux.range(0, CALLS)
                .flatMap(i -> call(request -> FIXTURE.locks().withLock(FIXTURE.freshKey(),
                        lock -> Mono.fromSupplier(() -> request.length))), 16)
                .blockLast(Await.PATIENCE);

        assertNothingIsKept();
    }

    /** Lettuce keeps a withdrawn command until it reconnects. */
    @Test
    void callsThatFailedInAnOutageKeepNothing() {
        FaultProxy proxy = FaultProxy.to(FIXTURE.server());
        ReactiveRedisLocks locks = FIXTURE.locks(FIXTURE.client(proxy.uri(), ClientOptions.create()), builder -> builder);
        locks.query(FIXTURE.freshKey()).block(Await.PATIENCE);
        proxy.refuse(true);
        proxy.cut();
        LockOptions impatient = LockOptions.defaults().commandTimeout(Duration.ofMillis(20));

        Flux.range(0, CALLS)
                .flatMap(i -> call(request -> locks.acquire(FIXTURE.freshKey(), impatient).map(lock -> request.length)),
                        100)
                .blockLast(Await.PATIENCE);

        assertNothingIsKept();
        proxy.close();
    }

    private Mono<Void> call(Function<byte[], Publisher<?>> call) {
        return Mono.defer(() -> {
            byte[] request = new byte[1_000];
            requests.add(new WeakReference<>(request));
            return Flux.from(call.apply(request)).onErrorComplete().then();
        });
    }

    private void assertNothingIsKept() {
        assertThat(requests).hasSize(CALLS);
        Await.until("the garbage collector has found them", () -> {
            System.gc();
            return requests.stream().filter(request -> request.get() != null).count() <= ALLOWED;
        });
    }
}
