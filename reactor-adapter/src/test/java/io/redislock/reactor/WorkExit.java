package io.redislock.reactor;

import java.util.function.Supplier;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** How work ends, and what its subscriber does for it. */
enum WorkExit {
    COMPLETION {
        @Override
        void run(Mono<?> call, Supplier<Boolean> working) {
            call.block(Await.PATIENCE);
        }

        @Override
        Mono<String> end() {
            return Mono.just("worked");
        }
    },
    ERROR {
        @Override
        void run(Mono<?> call, Supplier<Boolean> working) {
            StepVerifier.create(call).expectErrorMessage("failed").verify(Await.PATIENCE);
        }

        @Override
        Mono<String> end() {
            return Mono.error(new IllegalStateException("failed"));
        }
    },
    CANCELLATION {
        @Override
        void run(Mono<?> call, Supplier<Boolean> working) {
            Disposable running = call.subscribe();
            Await.until("it works", working::get);
            running.dispose();
        }

        @Override
        Mono<String> end() {
            return Mono.never();
        }
    };

    /** Subscribes, and waits for the exit. */
    abstract void run(Mono<?> call, Supplier<Boolean> working);

    /** What the work ends with. */
    abstract Mono<String> end();
}
