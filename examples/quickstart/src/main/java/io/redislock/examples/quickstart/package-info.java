/**
 * What the library does, as a program to read and to run. Start at {@code Quickstart}; each other class tells one
 * chapter of its story, or helps to tell it.
 *
 * <p>What stands between {@code // snippet: name} and {@code // end} is shown in README.md, word for word.
 */
package io.redislock.examples.quickstart;
