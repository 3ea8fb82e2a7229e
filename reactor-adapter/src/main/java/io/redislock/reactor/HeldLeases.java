package io.redislock.reactor;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;


/**
 * The leases that this process holds, by their keys on the server, so that each can be told what happens to its key.
 */
final class HeldLeases {

    private final Map<String, HeldLease> leases = new ConcurrentHashMap<>();

    /** One that was held before under the same key, and does not know yet that it is lost, is let know. */
    void begin(HeldLease lease) {
        HeldLease earlier = leases.put(keyOf(lease), lease);
        if (earlier != null) {
            earlier.keyChanged();
        }
    }

    void end(HeldLease lease) {
        leases.remove(keyOf(lease), lease);
    }

    /** Somebody else did something to this key. */
    void changed(String keyOnTheWire) {
        HeldLease lease = leases.get(keyOnTheWire);
        if (lease != null) {
            lease.keyChanged();
        }
    }

    /** Somebody may have done something to any key. */
    void anyMayHaveChanged() {
        leases.values().forEach(HeldLease::keyChanged);
    }

    private static String keyOf(HeldLease lease) {
        return lease.giveBack().key().onTheWire();
    }
}
