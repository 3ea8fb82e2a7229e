package io.redislock.benchmarks;

import java.time.Duration;

import io.lettuce.core.RedisURI;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Bytes allocated for one cycle, by the GC profiler of JMH in a JVM of its own. The profiler adds up what all threads
 * have allocated, so the event loops are in it.
 */
@State(Scope.Benchmark)
public class CycleAllocation {

    private static final int CYCLES = 8_192;

    /** The {@link LockLibrary}. */
    @Param("LETTUCE")
    public @Nullable String library;

    /** How many cycles at the same time. */
    @Param("1")
    public int inFlight;

    /** The server's URI. */
    @Param("redis://127.0.0.1:6379")
    public @Nullable String redis;

    private @Nullable LockClient client;

    /** Connects. */
    @Setup
    public void open() {
        client = LockLibrary.valueOf(String.valueOf(library)).open(RedisURI.create(String.valueOf(redis)));
    }

    /** Ends the connections. */
    @TearDown
    public void close() {
        if (client != null) {
            client.close();
        }
    }

    /** Many cycles, as waiting for one in a foreign thread would cost more than the cycle. */
    @Benchmark
    @OperationsPerInvocation(CYCLES)
    public @Nullable Long cycles() {
        LockClient opened = client;
        if (opened == null) {
            throw new IllegalStateException("not open");
        }
        int each = CYCLES / inFlight;
        return Flux.range(0, inFlight)
                .flatMap(worker -> {
                    Mono<Boolean> cycle = opened.cycle("benchmark:" + library + ":allocated:" + worker);
                    return cycle.repeat(each - 1).count();
                }, inFlight)
                .reduce(0L, Long::sum)
                .block(Duration.ofMinutes(1));
    }

    static double measure(Bench bench, LockLibrary library, int inFlight) {
        int iterations = bench.seconds() < 20 ? 1 : 3;
        TimeValue time = TimeValue.milliseconds(bench.seconds() < 20 ? 300 : 1_000);
        // Another JMH on the machine would disturb times, not bytes.
        System.setProperty("jmh.ignoreLock", "true");
        try {
            RunResult run = new Runner(new OptionsBuilder()
                    .include("^" + CycleAllocation.class.getName().replace(".", "\\.") + "\\.cycles$")
                    .param("library", library.name())
                    .param("inFlight", Integer.toString(inFlight))
                    .param("redis", bench.uri())
                    .addProfiler(GCProfiler.class)
                    .forks(1)
                    .jvmArgs("-Xmx512m")
                    .warmupIterations(iterations).warmupTime(time)
                    .measurementIterations(iterations).measurementTime(time)
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT)
                    .build()).runSingle();
            for (String name : run.getSecondaryResults().keySet()) {
                if (name.endsWith("gc.alloc.rate.norm")) {
                    return run.getSecondaryResults().get(name).getScore();
                }
            }
            throw new IllegalStateException("JMH says nothing of allocation on this JVM");
        } catch (RunnerException failed) {
            throw new IllegalStateException("JMH failed for " + library.label(), failed);
        }
    }
}
