package io.redislock.reactor.store;

import java.util.function.Supplier;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
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
final class StoreRequest<R> {

    private final @Nullable LockScript script;
    private final Supplier<CommandOutput<String, String, R>> output;
    private final LockKey key;
    private final String[] values;

    private StoreRequest(@Nullable LockScript script, Supplier<CommandOutput<String, String, R>> output, LockKey key,
            String... values) {
        this.script = script;
        this.output = output;
        this.key = key;
        this.values = values;
    }

    static StoreRequest<Long> script(LockScript script, LockKey key, String... values) {
        return new StoreRequest<>(script, () -> new IntegerOutput<>(StringCodec.UTF8), key, values);
    }

    static StoreRequest<String> get(LockKey key) {
        return new StoreRequest<>(null, () -> new ValueOutput<>(StringCodec.UTF8), key);
    }

    /** Whether nil is an answer: to GET it is, to a script never. */
    boolean mayBeEmpty() {
        return script == null;
    }

    /** GET, or EVALSHA. */
    StoreCommand<R> command(StoreCommand.Listener<R> listener) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
        if (script == null) {
            return new StoreCommand<>(CommandType.GET, output.get(), args.addKey(key.onTheWire()), listener);
        }
        return new StoreCommand<>(CommandType.EVALSHA, output.get(), scriptArgs(args.add(script.sha1())), listener);
    }

    /** EVAL, for a server that does not know the script; {@code null} for what is no script. */
    @Nullable StoreCommand<R> commandWithSource(StoreCommand.Listener<R> listener) {
        if (script == null) {
            return null;
        }
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
        return new StoreCommand<>(CommandType.EVAL, output.get(), scriptArgs(args.add(script.source())), listener);
    }

    private CommandArgs<String, String> scriptArgs(CommandArgs<String, String> args) {
        return args.add(1).addKey(key.onTheWire()).addValues(values);
    }
}
