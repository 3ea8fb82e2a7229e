package io.redislock.examples.fencedwrites;

import java.util.Locale;

import io.lettuce.core.RedisClient;

/** The three places that a report is written to, in the order of the story. */
enum Destination {

    UNCHECKED_TABLE("A table that takes every write", "A"),
    CHECKED_TABLE("A table that compares the tokens in the statement that writes", "B"),
    REDIS("Redis, through FencedWrites", "B");

    final String title;
    /** Whose report stands there in the end, when A has written last but B was the later holder. */
    final String author;

    Destination(String title, String author) {
        this.title = title;
        this.author = author;
    }

    /** Under which the report of this chapter is kept. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    Reports open(Database database, RedisClient client) {
        return switch (this) {
            case UNCHECKED_TABLE -> SqlReports.unchecked(database);
            case CHECKED_TABLE -> SqlReports.checked(database);
            case REDIS -> new RedisReports(client);
        };
    }
}
