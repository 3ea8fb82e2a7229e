package io.redislock.reactor.store;

/**
 * A reply and how it came about.
 *
 * @param reply what the server answered
 * @param resent whether the command was written more than once, because the connection was re-made in between. Then an
 *     earlier copy may have run before this reply, and one on the old socket may still run after it.
 */
public record Answer<T>(T reply, boolean resent) {
}
