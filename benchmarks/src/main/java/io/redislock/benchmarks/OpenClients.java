package io.redislock.benchmarks;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.lettuce.core.RedisURI;

/** A client of each of some libraries. */
final class OpenClients implements AutoCloseable {

    private final Map<LockLibrary, LockClient> clients = new EnumMap<>(LockLibrary.class);

    private OpenClients() {}

    static OpenClients open(RedisURI redis, List<LockLibrary> libraries) {
        OpenClients open = new OpenClients();
        boolean complete = false;
        try {
            libraries.forEach(library -> open.clients.put(library, library.open(redis)));
            complete = true;
            return open;
        } finally {
            if (!complete) {
                open.close();
            }
        }
    }

    /** For the JVM's compiler: each for a thirtieth of the time that the suite has. */
    void warmUp(int suiteSeconds) {
        clients.forEach((library, client) -> CycleLoad.perSecond(library, client, 64, 64, suiteSeconds / 30.0));
    }

    LockClient of(LockLibrary library) {
        LockClient client = clients.get(library);
        if (client == null) {
            throw new IllegalArgumentException(library + " was not opened");
        }
        return client;
    }

    @Override
    public void close() {
        clients.values().forEach(LockClient::close);
        clients.clear();
    }
}
