package io.redislock.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/** The README shows no Java that is not compiled: each block stands in an example or in a test of the starter. */
class ReadmeSnippetsTest {

    private static final Pattern SNIPPET =
            Pattern.compile("^\\s*// snippet: \\S+\\R(.*?)^\\s*// end$", Pattern.MULTILINE | Pattern.DOTALL);

    @Test
    void everyJavaBlockOfTheReadmeIsASnippetOfTheExamples() throws IOException {
        List<String> shown = Readme.blocks("java").stream().map(ReadmeSnippetsTest::normalised).toList();

        assertThat(shown).isNotEmpty().isSubsetOf(snippets());
    }

    @Test
    void everySnippetOfTheExamplesIsShown() throws IOException {
        List<String> shown = Readme.blocks("java").stream().map(ReadmeSnippetsTest::normalised).toList();

        assertThat(snippets()).isSubsetOf(shown);
    }

    @Test
    void theCommandsAreSingleLinesDirectlyAfterTheirMarks() throws IOException {
        assertThat(Readme.text()).containsOnlyOnce("<!-- run-command -->\n```sh\nmvn -q -Pquickstart verify\n```\n");
        assertThat(Readme.text())
                .containsOnlyOnce("<!-- pipelines-command -->\n```sh\nmvn -q -Ppipelines verify\n```\n");
        assertThat(Readme.text())
                .containsOnlyOnce("<!-- fenced-writes-command -->\n```sh\nmvn -q -Pfenced-writes verify\n```\n");
        assertThat(Readme.text()).containsOnlyOnce("<!-- webflux-command -->\n```sh\nmvn -q -Pwebflux verify\n```\n");
        assertThat(Readme.text()).containsOnlyOnce("<!-- test-command -->\n```sh\nmvn -B verify\n```\n");
    }

    private static List<String> snippets() throws IOException {
        List<String> snippets = new ArrayList<>(snippets("examples", "/src/main/java/"));
        snippets.addAll(snippets("spring-boot-starter", "/src/test/java/"));
        return snippets;
    }

    private static List<String> snippets(String module, String sources) throws IOException {
        try (Stream<Path> files = Files.walk(Readme.project().resolve(module))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().replace('\\', '/').contains(sources))
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
