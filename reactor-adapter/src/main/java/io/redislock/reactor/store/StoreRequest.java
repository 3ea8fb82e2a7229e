package io.redislock.reactor.store;

import java.util.List;
import java.util.function.Supplier;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.redislock.protocol.LockKey;
import io.redislock.protocol.LockScript;
import org.jspecify.annotations.Nullable;

/**
 * What to send: makes a new command each time, because a command is used once.
 *
 * @param <R> what the client decodes
 */
abstract class StoreRequest<R> {

    private static final List<String> NONE = List.of();

    private final Supplier<CommandOutput<String, String, R>> output;

    private StoreRequest(Supplier<CommandOutput<String, String, R>> output) {
        this.output = output;
    }

    static StoreRequest<Long> script(LockScript script, String key, String[] values) {
        return new Script(script, key, NONE, values);
    }

    /** A script that uses companions of the key too. */
    static StoreRequest<Long> script(LockScript script, String key, List<String> companions, String[] values) {
        return new Script(script, key, companions, values);
    }

    static StoreRequest<String> get(LockKey key) {
        return new Plain(CommandType.GET, () -> new ValueOutput<>(StringCodec.UTF8),
                () -> args().addKey(key.onTheWire()), true);
    }

    /** Asks for news of the keys that this connection reads: see {@link Tracking}. */
    static StoreRequest<String> tracking() {
        return new Plain(CommandType.CLIENT, () -> new StatusOutput<>(StringCodec.UTF8),
                () -> args().add("TRACKING").add("ON").add("NOLOOP"), false);
    }

    /** Whether nil is an answer: to GET it is, to a script never. */
    boolean mayBeEmpty() {
        return false;
    }

    /** A plain command, or EVALSHA. */
    abstract StoreCommand<R> command(StoreCommand.Listener<R> listener);

    /** EVAL, for a server that does not know the script; {@code null} for what is no script. */
    @Nullable StoreCommand<R> commandWithSource(StoreCommand.Listener<R> listener) {
        return null;
    }

    final StoreCommand<R> command(CommandType type, CommandArgs<String, String> args,
            StoreCommand.Listener<R> listener) {
        return new StoreCommand<>(type, output.get(), args, listener);
    }

    private static CommandArgs<String, String> args() {
        return new CommandArgs<>(StringCodec.UTF8);
    }

    private static final class Plain extends StoreRequest<String> {

        private final CommandType type;
        private final Supplier<CommandArgs<String, String>> args;
        private final boolean mayBeEmpty;

        Plain(CommandType type, Supplier<CommandOutput<String, String, String>> output,
                Supplier<CommandArgs<String, String>> args, boolean mayBeEmpty) {
            super(output);
            this.type = type;
            this.args = args;
            this.mayBeEmpty = mayBeEmpty;
        }

        @Override
        boolean mayBeEmpty() {
            return mayBeEmpty;
        }

        @Override
        StoreCommand<String> command(StoreCommand.Listener<String> listener) {
            return command(type, args.get(), listener);
        }
    }

    private static final class Script extends StoreRequest<Long> {

        private final LockScript script;
        private final String key;
        private final List<String> companions;
        private final String[] values;

        Script(LockScript script, String key, List<String> companions, String[] values) {
            super(() -> new IntegerOutput<>(StringCodec.UTF8));
            this.script = script;
            this.key = key;
            this.companions = companions;
            this.values = values;
        }

        @Override
        StoreCommand<Long> command(StoreCommand.Listener<Long> listener) {
            return command(CommandType.EVALSHA, withKeyAndValues(args().add(script.sha1())), listener);
        }

        @Override
        StoreCommand<Long> commandWithSource(StoreCommand.Listener<Long> listener) {
            return command(CommandType.EVAL, withKeyAndValues(args().add(script.source())), listener);
        }

        private CommandArgs<String, String> withKeyAndValues(CommandArgs<String, String> args) {
            return args.add(1 + companions.size()).addKey(key).addKeys(companions).addValues(values);
        }
    }
}
