package io.redislock.reactor.time;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.test.util.RaceTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** In virtual time, but for the race. */
class DeadlinesTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final Deadlines deadlines = new Deadlines(() -> time.now(TimeUnit.NANOSECONDS));
    private final List<String> due = new ArrayList<>();

    @AfterEach
    void realTime() {
        VirtualTimeScheduler.reset();
    }

    @Test
    void deadlineComesOnTime() {
        deadlines.set(noted("one"), SECOND);

        time.advanceTimeBy(Duration.ofMillis(999));
        assertThat(due).isEmpty();
        time.advanceTimeBy(MILLISECOND);

        assertThat(due).containsExactly("one");
    }

    @Test
    void deadlinesComeInOrderEachOnTime() {
        for (int i = 0; i < 10; i++) {
            deadlines.set(noted("" + i), SECOND);
            time.advanceTimeBy(Duration.ofMillis(100));
        }

        for (int i = 0; i < 10; i++) {
            assertThat(due).hasSize(i + 1);
            time.advanceTimeBy(Duration.ofMillis(100));
        }
        assertThat(due).containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
    }

    @Test
    void cancelledOneDoesNotCome() {
        Deadline first = noted("first");
        Deadline second = noted("second");
        Deadline third = noted("third");
        List.of(first, second, third).forEach(one -> deadlines.set(one, SECOND));

        second.unset();
        first.unset();
        first.unset();
        time.advanceTimeBy(SECOND);

        assertThat(due).containsExactly("third");
    }

    @Test
    void oneThatIsDueEarlierThanOthersBeforeItComesOnTime() {
        IntStream.range(0, 10).forEach(i -> deadlines.set(noted("late"), SECOND));
        deadlines.set(noted("early"), SECOND, Duration.ofMillis(300));

        time.advanceTimeBy(Duration.ofMillis(300));

        assertThat(due).containsExactly("early");
    }

    @Test
    void oneThatIsDueFarEarlierThanVeryManyComesOnTimeToo() {
        IntStream.range(0, 1_000).forEach(i -> deadlines.set(noted("late"), SECOND));
        Deadline cancelled = noted("cancelled");
        deadlines.set(noted("early"), SECOND, Duration.ofMillis(300));
        deadlines.set(cancelled, SECOND, Duration.ofMillis(300));

        cancelled.unset();
        time.advanceTimeBy(Duration.ofMillis(300));

        assertThat(due).containsExactly("early");
        time.advanceTimeBy(SECOND);
        assertThat(due).hasSize(1_001);
    }

    @Test
    void kindsDoNotDelayEachOther() {
        IntStream.rangeClosed(1, 200).forEach(i -> deadlines.set(noted("" + i), MILLISECOND.multipliedBy(i)));

        IntStream.rangeClosed(1, 200).forEach(i -> {
            time.advanceTimeBy(MILLISECOND);
            assertThat(due).hasSize(i).last().isEqualTo("" + i);
        });
    }

    @Test
    void itCanBeSetAgainWhenItHasCome() {
        Deadline again = new Deadline() {
            @Override
            protected void due() {
                due.add("again");
                deadlines.set(this, SECOND);
            }
        };
        deadlines.set(again, SECOND);

        time.advanceTimeBy(SECOND.multipliedBy(5));
        again.unset();
        time.advanceTimeBy(SECOND.multipliedBy(5));

        assertThat(due).hasSize(5);
    }

    /** In real time: the virtual scheduler itself does not get over it. */
    @Test
    void whatOneThrowsKeepsNoOtherFromComing() throws Exception {
        VirtualTimeScheduler.reset();
        Deadlines real = new Deadlines(System::nanoTime);
        CountDownLatch others = new CountDownLatch(2);
        real.set(new Deadline() {
            @Override
            protected void due() {
                throw new IllegalStateException("thrown on purpose");
            }
        }, MILLISECOND);
        for (Duration in : List.of(MILLISECOND, MILLISECOND.multipliedBy(5))) {
            real.set(new Deadline() {
                @Override
                protected void due() {
                    others.countDown();
                }
            }, MILLISECOND, in);
        }

        assertThat(others.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void manyThatAreCancelledLeaveOneTask() {
        for (int i = 0; i < 10_000; i++) {
            Deadline one = noted("" + i);
            deadlines.set(one, SECOND);
            one.unset();
        }

        assertThat(time.getScheduledTaskCount()).isEqualTo(1);
        time.advanceTimeBy(SECOND);
        assertThat(time.getScheduledTaskCount()).isEqualTo(1);
    }

    /** As a test in virtual time leaves it behind for those after it. */
    @Test
    void replacedSchedulerTakesNoLaterDeadlineWithIt() throws Exception {
        Deadlines shared = new Deadlines(System::nanoTime);
        shared.set(noted("lost with its scheduler"), MILLISECOND);
        VirtualTimeScheduler.reset();
        CountDownLatch came = new CountDownLatch(1);

        shared.set(new Deadline() {
            @Override
            protected void due() {
                came.countDown();
            }
        }, MILLISECOND, MILLISECOND.multipliedBy(5));

        assertThat(came.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void closingLeavesNoTask() {
        deadlines.set(noted("never"), SECOND);

        deadlines.close();
        time.advanceTimeBy(SECOND);

        assertThat(time.getScheduledTaskCount()).isLessThanOrEqualTo(1);
        assertThat(due).isEmpty();
    }

    /** Each comes or is cancelled, and the line stays whole. */
    @Test
    void cancellingAtTheMomentItComesHarmsNothing() {
        VirtualTimeScheduler.reset();
        Deadlines real = new Deadlines(System::nanoTime);
        AtomicInteger came = new AtomicInteger();
        for (int round = 0; round < 3_000; round++) {
            Deadline one = counted(came);
            Deadline two = counted(came);
            RaceTestUtils.race(() -> real.set(one, Duration.ofNanos(20_000)),
                    () -> real.set(two, Duration.ofNanos(20_000)));
            RaceTestUtils.race(one::unset, two::unset);
        }

        int before = came.get();
        AtomicInteger last = new AtomicInteger();
        real.set(counted(last), MILLISECOND);
        while (last.get() == 0) {
            Thread.onSpinWait();
        }
        assertThat(before).isBetween(0, 6_000);
        assertThat(Schedulers.parallel().isDisposed()).isFalse();
    }

    private Deadline noted(String name) {
        return new Deadline() {
            @Override
            protected void due() {
                due.add(name);
            }
        };
    }

    private static Deadline counted(AtomicInteger counter) {
        return new Deadline() {
            @Override
            protected void due() {
                counter.incrementAndGet();
            }
        };
    }
}
