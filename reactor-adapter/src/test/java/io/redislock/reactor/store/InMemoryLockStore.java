package io.redislock.reactor.store;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.redislock.lease.LeaseClock;
import io.redislock.protocol.AcquireReply;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.OwnedReply;
import io.redislock.protocol.OwnerToken;
import io.redislock.protocol.TakeReply;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A store in memory, with the semantics of the scripts, for tests in which only time and decisions matter. Its clock is
 * given, its answers can be delayed or lost.
 */
public final class InMemoryLockStore implements LockStore {

    private record Entry(String value, long expiresAtNanos) {
    }

    private final LeaseClock clock;
    private final Map<String, Entry> entries = new HashMap<>();
    private final Deque<Fault> faults = new ArrayDeque<>();
    private final AtomicInteger acquisitions = new AtomicInteger();
    private final AtomicInteger releases = new AtomicInteger();
    private final AtomicInteger prolongations = new AtomicInteger();
    private final AtomicInteger commands = new AtomicInteger();
    private volatile Duration latency = Duration.ZERO;
    private volatile boolean closed;
    private final Set<String> watched = new HashSet<>();
    private @Nullable KeyWatcher watcher;
    private boolean watching;
    private long serverMicros = 1_700_000_000_000_000L;
    private final long startNanos;
    private @Nullable String whyNoFencingTokens;

    /** What happens to a command. */
    public enum Fault {
        /** The command runs and its reply never comes. */
        REPLY_LOST,
        /** The command runs, is sent again, and the second reply comes. */
        RESENT,
        /** The command is refused, without effect. */
        REFUSED
    }

    public InMemoryLockStore(LeaseClock clock) {
        this.clock = clock;
        this.startNanos = clock.nanoTime();
    }

    /** Sets the server's clock forward, or back. Nothing expires by it. */
    public synchronized void stepServerClock(Duration step) {
        serverMicros += step.toNanos() / 1_000;
    }

    /** Becomes a store that cannot mint fencing tokens. */
    public void refuseFencingTokens(String why) {
        whyNoFencingTokens = why;
    }

    /** How long a reply takes from now on; the command itself runs at once. */
    public void latency(Duration latency) {
        this.latency = latency;
    }

    /** Lets the next command, and those after it, meet these faults in this order. */
    public synchronized void faults(Fault... next) {
        for (Fault fault : next) {
            faults.add(fault);
        }
    }

    /** Sets a key as a foreign client would. */
    public void put(String key, String value, Duration life) {
        synchronized (this) {
            entries.put(key, new Entry(value, clock.nanoTime() + life.toNanos()));
        }
        push(key);
    }

    /** Deletes a key as a foreign client would. */
    public void delete(String key) {
        synchronized (this) {
            entries.remove(key);
        }
        push(key);
    }

    /** Begins or ends to tell the watcher what foreign clients do. Before that it does not. */
    public void watching(boolean on) {
        synchronized (this) {
            watched.clear();
            watching = on;
        }
        if (watcher != null) {
            watcher.watching(on);
            if (on) {
                watcher.anyMayHaveChanged();
            }
        }
    }

    /** Tells that this key has changed if somebody has read it since the last time, true or not. */
    public void push(String key) {
        boolean told;
        synchronized (this) {
            told = watching && watched.remove(key);
        }
        if (told && watcher != null) {
            watcher.changed(key);
        }
    }

    public synchronized Optional<String> value(String key) {
        return Optional.ofNullable(live(key)).map(Entry::value);
    }

    /** How many faults no command has met yet. */
    public synchronized int faultsLeft() {
        return faults.size();
    }

    /** No further faults. */
    public synchronized void clearFaults() {
        faults.clear();
    }

    /** How many commands were sent, refused ones included. */
    public int commands() {
        return commands.get();
    }

    /** How many prolong commands have run. */
    public int prolongations() {
        return prolongations.get();
    }

    /** How many acquire commands have run. */
    public int acquisitions() {
        return acquisitions.get();
    }

    /** How many release commands have run. */
    public int releases() {
        return releases.get();
    }

    @Override
    public void watch(KeyWatcher watcher) {
        this.watcher = watcher;
    }

    @Override
    public Mono<Answer<AcquireReply>> acquire(LockKey key, OwnerToken token, Duration expiry, Duration timeout) {
        return answer(timeout, () -> {
            acquisitions.incrementAndGet();
            watched.add(key.onTheWire());
            Entry held = live(key.onTheWire());
            if (held != null && !held.value.equals(token.value())) {
                return AcquireReply.busy(Duration.ofNanos(held.expiresAtNanos - clock.nanoTime()));
            }
            set(key, token.value(), expiry, held);
            return AcquireReply.ACQUIRED;
        });
    }

    @Override
    public Mono<Answer<TakeReply>> take(LockKey key, String value, Duration expiry, Duration timeout) {
        return answer(timeout, () -> {
            Entry held = live(key.onTheWire());
            if (held != null) {
                return held.value.equals(value) ? TakeReply.BUSY_WITH_EQUAL_VALUE : TakeReply.BUSY;
            }
            set(key, value, expiry, null);
            return TakeReply.TAKEN;
        });
    }

    @Override
    public Mono<Answer<OwnedReply>> release(LockKey key, String value, Duration timeout) {
        return answer(timeout, () -> {
            releases.incrementAndGet();
            OwnedReply reply = ownership(key, value);
            if (reply == OwnedReply.DONE) {
                entries.remove(key.onTheWire());
            }
            return reply;
        });
    }

    @Override
    public Mono<Answer<OwnedReply>> extend(LockKey key, String value, Duration expiry, Duration timeout) {
        return answer(timeout, () -> {
            OwnedReply reply = ownership(key, value);
            if (reply == OwnedReply.DONE) {
                set(key, value, expiry, null);
            }
            return reply;
        });
    }

    @Override
    public Mono<Answer<OwnedReply>> prolong(LockKey key, String value, Duration expiry, Duration timeout) {
        return answer(timeout, () -> {
            prolongations.incrementAndGet();
            watched.add(key.onTheWire());
            OwnedReply reply = ownership(key, value);
            if (reply == OwnedReply.DONE) {
                set(key, value, expiry, live(key.onTheWire()));
            }
            return reply;
        });
    }

    @Override
    public Mono<Answer<AcquireReply>> acquireFenced(LockKey key, OwnerToken token, Duration expiry, Duration retention,
            Duration timeout) {
        return answer(timeout, () -> {
            acquisitions.incrementAndGet();
            watched.add(key.onTheWire());
            Entry held = live(key.onTheWire());
            if (held != null && !held.value.equals(token.value())) {
                return AcquireReply.busy(Duration.ofNanos(held.expiresAtNanos - clock.nanoTime()));
            }
            Entry last = live(key.companion());
            long minted = last == null ? 0 : Long.parseLong(last.value);
            if (held == null || last == null) {
                minted = Math.max(minted + 1, serverMicros + (clock.nanoTime() - startNanos) / 1_000);
            }
            keep(key, minted, retention);
            set(key, token.value(), expiry, held);
            return AcquireReply.fenced(minted);
        });
    }

    @Override
    public Mono<Answer<OwnedReply>> prolongFenced(LockKey key, String value, long fencingToken, Duration expiry,
            Duration retention, Duration timeout) {
        return answer(timeout, () -> {
            prolongations.incrementAndGet();
            watched.add(key.onTheWire());
            OwnedReply reply = ownership(key, value);
            if (reply == OwnedReply.DONE) {
                Entry last = live(key.companion());
                keep(key, last == null ? fencingToken : Math.max(fencingToken, Long.parseLong(last.value)), retention);
                set(key, value, expiry, live(key.onTheWire()));
            }
            return reply;
        });
    }

    private void keep(LockKey key, long fencingToken, Duration retention) {
        entries.put(key.companion(), new Entry(Long.toString(fencingToken), clock.nanoTime() + retention.toNanos()));
    }

    @Override
    public Optional<String> whyNoFencingTokens() {
        return Optional.ofNullable(whyNoFencingTokens);
    }

    @Override
    public Mono<String> query(LockKey key, Duration timeout) {
        return answer(timeout, () -> {
                    watched.add(key.onTheWire());
                    return value(key.onTheWire());
                })
                .flatMap(answer -> Mono.justOrEmpty(answer.reply()));
    }

    @Override
    public Mono<Void> close() {
        return Mono.fromRunnable(() -> closed = true);
    }

    private <T> Mono<Answer<T>> answer(Duration timeout, Supplier<T> command) {
        return Mono.defer(() -> {
            commands.incrementAndGet();
            if (closed) {
                return Mono.error(StoreFailure.withoutEffect("closed", null));
            }
            T reply;
            Fault fault;
            synchronized (this) {
                fault = faults.poll();
                if (fault == Fault.REFUSED) {
                    return Mono.error(StoreFailure.withoutEffect("refused", null));
                }
                reply = command.get();
                if (fault == Fault.RESENT) {
                    reply = command.get();
                }
            }
            if (fault == Fault.REPLY_LOST) {
                return Mono.delay(timeout).then(Mono.error(() ->
                        StoreFailure.timedOut("no reply", null, true, Mono.empty(), Mono.empty())));
            }
            Answer<T> answer = new Answer<>(reply, fault == Fault.RESENT);
            return latency.isZero() ? Mono.just(answer) : late(answer, timeout);
        });
    }

    /** The reply after the latency; when the timeout comes first, a failure that tells the reply later. */
    private <T> Mono<Answer<T>> late(Answer<T> answer, Duration timeout) {
        if (latency.compareTo(timeout) < 0) {
            return Mono.delay(latency).thenReturn(answer);
        }
        Sinks.One<T> late = Sinks.one();
        Mono.delay(latency).subscribe(tick -> late.tryEmitValue(answer.reply()));
        return Mono.delay(timeout).then(Mono.error(() -> StoreFailure.timedOut("no reply", null, true,
                late.asMono().then(), late.asMono())));
    }

    private OwnedReply ownership(LockKey key, String value) {
        Entry held = live(key.onTheWire());
        if (held == null) {
            return OwnedReply.ABSENT;
        }
        return held.value.equals(value) ? OwnedReply.DONE : OwnedReply.OTHER;
    }

    private void set(LockKey key, String value, Duration expiry, @Nullable Entry neverShorten) {
        long expiresAt = clock.nanoTime() + expiry.toNanos();
        if (neverShorten != null && neverShorten.expiresAtNanos - expiresAt > 0) {
            expiresAt = neverShorten.expiresAtNanos;
        }
        entries.put(key.onTheWire(), new Entry(value, expiresAt));
    }

    private @Nullable Entry live(String key) {
        Entry entry = entries.get(key);
        if (entry != null && entry.expiresAtNanos - clock.nanoTime() <= 0) {
            entries.remove(key);
            return null;
        }
        return entry;
    }
}
