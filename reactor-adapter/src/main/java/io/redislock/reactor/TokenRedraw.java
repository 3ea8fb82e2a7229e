package io.redislock.reactor;

import java.net.SocketAddress;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.redislock.protocol.OwnerTokens;
import reactor.core.scheduler.Schedulers;

/** Draws the random part of owner tokens anew after each reconnect, on a thread that may block. */
final class TokenRedraw implements RedisConnectionStateListener {

    private final OwnerTokens tokens;

    TokenRedraw(OwnerTokens tokens) {
        this.tokens = tokens;
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress socketAddress) {
        Schedulers.boundedElastic().schedule(tokens::redraw);
    }
}
