package io.redislock.reactor.blockhound;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** That the watch is on at all. */
class BlockHoundTest {

    @Test
    void blockingOnANonBlockingThreadIsSeen() {
        Mono<Void> blocking = Mono.<Void>fromRunnable(() -> {
            try {
                Thread.sleep(1);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }).subscribeOn(Schedulers.parallel());

        Throwable failure = catchThrowable(() -> blocking.block(Duration.ofSeconds(5)));

        assertThat(failure).hasRootCauseInstanceOf(BlockingOperationError.class);
        assertThat(BlockHoundSetup.takeSeen()).hasSize(1);
    }
}
