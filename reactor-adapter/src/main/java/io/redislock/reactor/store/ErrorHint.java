package io.redislock.reactor.store;

/** What to do about an error that Redis answers with, where the error alone does not say it. */
final class ErrorHint {

    private ErrorHint() {
    }

    /** A sentence to append to the error, or nothing. */
    static String forReply(String error) {
        if (error.contains("WRONGTYPE")) {
            return ". The key holds something else than a lock, or that which keeps its fencing token does: choose "
                    + "another key, or a key prefix";
        }
        if (error.contains("last fencing token")) {
            return ". It is kept in the key \"redislock:minted..\" or \"redislock:accepted..\" that contains this one, "
                    + "and somebody else has written it";
        }
        if (error.contains("client|tracking")) {
            return ". Grant +client|tracking to be told instead: see ACL SETUSER";
        }
        // Redis 6.2 says the second for a command inside a script.
        if (error.startsWith("NOPERM") || error.contains("can't run this command")) {
            return (error.startsWith("NOPERM") ? "" : " (NOPERM)")
                    + ". Locks need EVALSHA, EVAL, GET, SET, PTTL, PEXPIRE and DEL on their keys; with fencing tokens "
                    + "also TIME and EXISTS, and the keys redislock:minted* and redislock:accepted*: see ACL SETUSER";
        }
        if (error.startsWith("READONLY")) {
            return ". The connection leads to a replica: connect to the master, or through Sentinel";
        }
        return "";
    }
}
