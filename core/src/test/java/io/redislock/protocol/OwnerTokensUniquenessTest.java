package io.redislock.protocol;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OwnerTokensUniquenessTest {

    private static final int MILLION = 1_000_000;
    private static final int THREADS = 4;

    private final OwnerTokens tokens = new OwnerTokens(new SecureRandom());
    private final String[] made = new String[MILLION];

    @Test
    void aMillionTokensAreDistinct() {
        for (int i = 0; i < MILLION; i++) {
            made[i] = tokens.next().value();
        }

        assertDistinct();
    }

    @Test
    void aMillionTokensFromFourThreadsAreDistinct() throws Exception {
        inThreads(i -> made[i] = tokens.next().value());

        assertDistinct();
    }

    /** A token must never mix the halves of two draws, nor repeat one. */
    @Test
    void tokensStayDistinctAndWholeWhileTheRandomPartIsDrawnAnew() throws Exception {
        inThreads(i -> {
            if (i % 1_000 == 0) {
                tokens.redraw();
            }
            made[i] = tokens.next().value();
        });

        assertDistinct();
        long randomParts = Arrays.stream(made).map(token -> token.substring(0, 20)).distinct().count();
        assertThat(randomParts).isBetween(2L, MILLION / 1_000 + 1L);
    }

    /** Sorted rather than put into a set, which would take three times the memory. */
    private void assertDistinct() {
        Arrays.sort(made);
        for (int i = 1; i < made.length; i++) {
            if (made[i].equals(made[i - 1])) {
                throw new AssertionError("made twice: " + made[i]);
            }
        }
    }

    /** Each thread its own quarter of the indices, all starting at once. */
    private static void inThreads(IntConsumer action) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        Collection<Callable<Void>> quarters = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int from = t * (MILLION / THREADS);
            quarters.add(() -> {
                start.await(1, TimeUnit.MINUTES);
                for (int i = from; i < from + MILLION / THREADS; i++) {
                    action.accept(i);
                }
                return null;
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Void>> done = threads.invokeAll(quarters, 2, TimeUnit.MINUTES);
            for (Future<Void> quarter : done) {
                quarter.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
