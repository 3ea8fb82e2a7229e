package io.redislock.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The README shows no Java and no Kotlin that is not compiled: each block stands in an example, or in a test of the
 * starter, between two marks.
 */
class ReadmeSnippetsTest {

    private static final Pattern SNIPPET =
            Pattern.compile("^\\s*// snippet: \\S+\\R(.*?)^\\s*// end$", Pattern.MULTILINE | Pattern.DOTALL);

    /** As they are named at the fences, and as their folders are. */
    enum Language {
        JAVA(".java"),
        KOTLIN(".kt");

        private final String ending;

        Language(String ending) {
            this.ending = ending;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        boolean isMainSource(Path file) {
            return isSource(file, "main");
        }

        boolean isTestSource(Path file) {
            return isSource(file, "test");
        }

        private boolean isSource(Path file, String set) {
            return file.toString().endsWith(ending)
                    && file.toString().replace('\\', '/').contains("/src/" + set + "/" + word() + "/");
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyBlockOfTheReadmeIsASnippetOfTheExamples(Language language) throws IOException {
        assertThat(shown(language)).isNotEmpty().isSubsetOf(snippets(language));
    }

    @ParameterizedTest
    @EnumSource
    void everySnippetOfTheExamplesIsShown(Language language) throws IOException {
        assertThat(snippets(language)).isSubsetOf(shown(language));
    }

    @Test
    void theCommandsAreSingleLinesDirectlyAfterTheirMarks() throws IOException {
        assertThat(Readme.text()).containsOnlyOnce("<!-- run-command -->\n```sh\nmvn -q -Pquickstart verify\n```\n");
        assertThat(Readme.text())
                .containsOnlyOnce("<!-- pipelines-command -->\n```sh\nmvn -q -Ppipelines verify\n```\n");
        assertThat(Readme.text())
                .containsOnlyOnce("<!-- fenced-writes-command -->\n```sh\nmvn -q -Pfenced-writes verify\n```\n");
        assertThat(Readme.text())
                .containsOnlyOnce("<!-- coroutines-command -->\n```sh\nmvn -q -Pkotlin-coroutines verify\n```\n");
        assertThat(Readme.text()).containsOnlyOnce("<!-- webflux-command -->\n```sh\nmvn -q -Pwebflux verify\n```\n");
        assertThat(Readme.text()).containsOnlyOnce("<!-- test-command -->\n```sh\nmvn -B verify\n```\n");
    }

    private static List<String> shown(Language language) throws IOException {
        return Readme.blocks(language.word()).stream().map(ReadmeSnippetsTest::normalised).toList();
    }

    private static List<String> snippets(Language language) throws IOException {
        try (Stream<Path> examples = Files.walk(Readme.project().resolve("examples"));
                Stream<Path> starter = Files.walk(Readme.project().resolve("spring-boot-starter"))) {
            return Stream.concat(examples.filter(language::isMainSource), starter.filter(language::isTestSource))
                    .flatMap(ReadmeSnippetsTest::snippetsIn)
                    .toList();
        }
    }

    private static Stream<String> snippetsIn(Path file) {
        try {
            return SNIPPET.matcher(Files.readString(file)).results().map(snippet -> normalised(snippet.group(1)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String normalised(String code) {
        return code.strip().replaceAll("\\s+", " ");
    }
}
