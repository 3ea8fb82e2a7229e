/**
 * A service that processes each order at most once at a time, on however many replicas it runs.
 *
 * <ul>
 *   <li>{@code OrderController} runs the work under a lock, {@code LockProblems} says what is answered when that could
 *       not be: these two are what a service of yours has.
 *   <li>{@code Board}, {@code LiveController} and {@code PauseController} are what the page shows and its buttons do.
 *   <li>{@code Launcher} starts a Redis and two replicas, each a process of its own.
 * </ul>
 *
 * <p>Nothing here blocks an event loop. What stands between {@code // snippet: name} and {@code // end} is shown in
 * README.md, word for word.
 */
@NullMarked
package io.redislock.examples.webflux;

import org.jspecify.annotations.NullMarked;
