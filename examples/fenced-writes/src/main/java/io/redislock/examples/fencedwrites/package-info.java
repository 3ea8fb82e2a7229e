/**
 * A write that comes late, because its worker stood still while its lease ran out, and what becomes of it: in a table
 * that takes every write, in one that compares fencing tokens, and in Redis. Start at {@code SqlReports}, which is what
 * to take into a program of your own; {@code LateWriteStory} is the program that tells the story.
 *
 * <p>What stands between {@code // snippet: name} and {@code // end} is shown in README.md, word for word.
 */
package io.redislock.examples.fencedwrites;
