package io.redislock.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.redislock.LockOptions;
import org.junit.jupiter.api.Test;

/** The table of options names every option that there is, and no other. */
class ReadmeOptionsTest {

    @Test
    void theTableNamesEveryOptionThereIs() throws IOException {
        List<String> options = Arrays.stream(LockOptions.class.getMethods())
                .filter(method -> method.getReturnType() == LockOptions.class)
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .map(Method::getName)
                .toList();

        assertThat(named()).containsExactlyInAnyOrderElementsOf(options);
    }

    private static List<String> named() throws IOException {
        String section = Readme.text().replaceFirst("(?s).*\n## Options\n", "").replaceFirst("(?s)\n## .*", "");
        return Pattern.compile("^\\| `(\\w+)\\(", Pattern.MULTILINE)
                .matcher(section)
                .results()
                .map((MatchResult row) -> row.group(1))
                .toList();
    }
}
