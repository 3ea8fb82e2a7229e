package io.redislock.examples.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The README of the project, for tests that hold it to what the code does. */
final class Readme {

    private Readme() {
    }

    /** The project's top folder: the nearest one above with a README. */
    static Path project() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("README.md"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("No README.md here or above");
            }
        }
        return folder;
    }

    static String text() throws IOException {
        return Files.readString(project().resolve("README.md"));
    }

    /** The fenced blocks of a language. */
    static List<String> blocks(String language) throws IOException {
        return Pattern.compile("^```" + language + "\\R(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL)
                .matcher(text())
                .results()
                .map((MatchResult block) -> block.group(1).strip())
                .toList();
    }
}
