package io.redislock.examples.pipelines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.redislock.LockNotAcquiredException;
import io.redislock.reactor.ReactiveRedisLocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class CachedReportTest {

    @RegisterExtension
    static final OnRedis on = new OnRedis();

    private final AtomicInteger built = new AtomicInteger();

    @Test
    void oneOfTwentyCallersInTwoProcessesBuildsAndTheOthersReadIt() {
        Function<String, Mono<String>> builder = id -> on.processes().events().whenWaiting(19).then(build());
        CachedReport inA = report(on.a(), builder);
        CachedReport inB = report(on.b(), builder);

        List<String> reports = Flux.range(0, 20)
                .flatMap(caller -> (caller % 2 == 0 ? inA : inB).get("7"))
                .collectList()
                .block(OnRedis.SOON);

        assertThat(reports).hasSize(20).containsOnly("report no. 1");
        assertThat(built).hasValue(1);
    }

    @Test
    void aReportThatIsThereNeedsNoLock() {
        on.processes().redis().set("report:7", "an older one").block(OnRedis.SOON);
        somebodyElseBuilds();

        assertThat(report(on.a(), id -> build()).get("7").block(OnRedis.SOON)).isEqualTo("an older one");
        assertThat(built).hasValue(0);
    }

    @Test
    void whatIsBuiltGoesStaleInTime() {
        report(on.a(), id -> build()).get("7").block(OnRedis.SOON);

        assertThat(on.processes().redis().pttl("report:7").block(OnRedis.SOON))
                .isBetween(1L, Duration.ofMinutes(10).toMillis());
    }

    @Test
    void whoWaitsInVainIsToldSoAndBuildsNothing() {
        somebodyElseBuilds();

        assertThatExceptionOfType(LockNotAcquiredException.class)
                .isThrownBy(() -> impatient(Duration.ofMillis(100)).get("7").block(OnRedis.SOON))
                .satisfies(busy -> assertThat(busy.holderRemaining()).isPresent());
        assertThat(built).hasValue(0);
    }

    @Test
    void whoWaitsInVainLooksOnceMore() {
        somebodyElseBuilds();
        // Written, but the lock is not released: its holder was paused, say.
        Mono<String> writtenMeanwhile = on.processes().events().whenWaiting(1)
                .then(Mono.defer(() -> on.processes().redis().set("report:7", "theirs")));

        String report = Mono.zip(impatient(Duration.ofSeconds(1)).get("7"), writtenMeanwhile)
                .block(OnRedis.SOON)
                .getT1();

        assertThat(report).isEqualTo("theirs");
        assertThat(built).hasValue(0);
    }

    @Test
    void whenABuildFailsItsCallerIsToldAndTheNextOneBuilds() {
        AtomicInteger builds = new AtomicInteger();
        CachedReport report = report(on.a(), id -> builds.incrementAndGet() == 1
                ? on.processes().events().whenWaiting(1).then(Mono.error(new IllegalStateException("no data")))
                : build());

        List<String> reports = Flux.merge(
                        report.get("7").onErrorResume(IllegalStateException.class, no -> Mono.just("failed")),
                        report.get("7").onErrorResume(IllegalStateException.class, no -> Mono.just("failed")))
                .collectList()
                .block(OnRedis.SOON);

        assertThat(reports).containsExactly("failed", "report no. 1");
    }

    private static void somebodyElseBuilds() {
        on.b().take("rebuild:7", "somebody else", Duration.ofMinutes(1)).block(OnRedis.SOON);
    }

    private CachedReport impatient(Duration waitAtMost) {
        return new CachedReport(on.a(), CachedReport.PATIENT.waitAtMost(waitAtMost), on.processes().redis(),
                id -> build());
    }

    private static CachedReport report(ReactiveRedisLocks locks, Function<String, Mono<String>> builder) {
        return new CachedReport(locks, CachedReport.PATIENT, on.processes().redis(), builder);
    }

    private Mono<String> build() {
        return Mono.fromSupplier(() -> "report no. " + built.incrementAndGet());
    }
}
