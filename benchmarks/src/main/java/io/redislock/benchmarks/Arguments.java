package io.redislock.benchmarks;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

import io.lettuce.core.RedisURI;
import org.jspecify.annotations.Nullable;

/** What the command line asks for. */
sealed interface Arguments {

    String USAGE = """
            usage: benchmarks.jar SUITE [--redis URI] [--json FILE] [--seconds N]
                   benchmarks.jar report FILE.. [--out FOLDER]
            SUITE is one of:
            """;

    /**
     * Measure.
     *
     * @param suites one after the other
     * @param redis the server; {@code null}: start one
     * @param json where the results go, beside standard output
     * @param seconds about how long each suite may measure; {@code null}: as long as it usually does
     */
    record Run(List<Suite> suites, @Nullable String redis, @Nullable Path json, @Nullable Integer seconds)
            implements Arguments {}

    /**
     * Make the table and the chart.
     *
     * @param results of suites; where two have the same row, the later one counts
     * @param folder where they go
     */
    record MakeReport(List<Path> results, Path folder) implements Arguments {}

    static Arguments of(String... words) {
        if (words.length == 0) {
            throw new UsageException("which suite?");
        }
        Iterator<String> rest = Arrays.asList(words).subList(1, words.length).iterator();
        return words[0].equals("report") ? report(rest) : run(Suites.named(words[0]), rest);
    }

    private static Run run(List<Suite> suites, Iterator<String> rest) {
        String redis = null;
        Path json = null;
        Integer seconds = null;
        while (rest.hasNext()) {
            String option = rest.next();
            switch (option) {
                case "--redis" -> redis = uri(value(option, rest));
                case "--json" -> json = path(value(option, rest));
                case "--seconds" -> seconds = seconds(value(option, rest));
                default -> throw new UsageException("what is " + option + "?");
            }
        }
        return new Run(suites, redis, json, seconds);
    }

    private static MakeReport report(Iterator<String> rest) {
        List<Path> files = new ArrayList<>();
        Path folder = Path.of("benchmarks", "results");
        while (rest.hasNext()) {
            String word = rest.next();
            if (word.equals("--out")) {
                folder = path(value(word, rest));
            } else if (word.startsWith("--")) {
                throw new UsageException("what is " + word + "?");
            } else {
                files.add(path(word));
            }
        }
        if (files.isEmpty()) {
            throw new UsageException("report needs the JSON files of one run or more");
        }
        return new MakeReport(List.copyOf(files), folder);
    }

    private static String value(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new UsageException(option + " needs a value");
        }
        return rest.next();
    }

    private static String uri(String text) {
        if (!text.startsWith("redis://") && !text.startsWith("rediss://")) {
            throw new UsageException("--redis needs a URI like redis://127.0.0.1:6379, not " + text);
        }
        try {
            RedisURI.create(text);
            return text;
        } catch (IllegalArgumentException invalid) {
            throw new UsageException("--redis " + text + ": " + invalid.getMessage());
        }
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException invalid) {
            throw new UsageException("no file can be called " + text);
        }
    }

    private static int seconds(String text) {
        try {
            int seconds = Integer.parseInt(text);
            if (seconds >= 1) {
                return seconds;
            }
        } catch (NumberFormatException noNumber) {
            // as below
        }
        throw new UsageException("--seconds needs a whole number from 1, not " + text);
    }
}
