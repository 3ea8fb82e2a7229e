/**
 * What tests and examples need around them: real Redis servers that can be paused, killed and restarted
 * ({@link io.redislock.testsupport.RedisServer}), and a network that fails on command
 * ({@link io.redislock.testsupport.FaultProxy}).
 *
 * <p>Nothing here knows the lock, its keys or its scripts, and nothing here is published. The servers are driven by
 * plain sockets and processes, so a test may use them with any client.
 */
@NullMarked
package io.redislock.testsupport;

import org.jspecify.annotations.NullMarked;
