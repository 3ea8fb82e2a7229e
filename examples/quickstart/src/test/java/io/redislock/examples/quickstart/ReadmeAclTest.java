package io.redislock.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import io.redislock.testsupport.EmbeddedRedis;
import org.junit.jupiter.api.Test;

/** The rights that the README asks for are enough. */
class ReadmeAclTest {

    private static final String COMMAND = "ACL SETUSER locks ";

    @Test
    void aUserWithTheRightsOfTheReadmeCanDoEverything() throws IOException {
        String command = Readme.blocks("redis").stream()
                .filter(text -> text.startsWith(COMMAND))
                .findAny()
                .orElseThrow();
        String rights = command.substring(COMMAND.length());
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(printed, true, StandardCharsets.UTF_8);
        try (EmbeddedRedis redis = EmbeddedRedis.start("user default off", "user locks " + rights)) {
            String uri = redis.uri().replace("redis://", "redis://locks:secret@");

            assertThat(Quickstart.run(print, print, uri)).as(printed.toString(StandardCharsets.UTF_8)).isZero();
        }
    }
}
