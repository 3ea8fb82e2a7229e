package io.redislock.protocol;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class LockScriptTest {

    /** What each script may send, in the order of its text. */
    private static final Map<LockScript, List<String>> COMMANDS = Map.of(
            LockScript.ACQUIRE, List.of("GET", "SET", "PTTL", "PTTL", "PEXPIRE", "PTTL"),
            LockScript.TAKE, List.of("SET", "GET"),
            LockScript.RELEASE, List.of("GET", "DEL"),
            LockScript.EXTEND, List.of("GET", "PEXPIRE", "PTTL"),
            LockScript.PROLONG, List.of("GET", "PTTL", "PEXPIRE", "PTTL"));

    private static final Pattern CALL = Pattern.compile("redis\\.call\\('([A-Z]+)', ([^,)]+)");
    private static final Pattern COMMENT = Pattern.compile("--[^\n]*");

    @Test
    void setOfScriptsIsKnown() {
        assertThat(LockScript.values()).containsExactlyInAnyOrderElementsOf(COMMANDS.keySet());
    }

    @Test
    void everyFileIsAScriptAndEveryScriptAFile() throws Exception {
        Path folder = Path.of(LockScript.class.getResource("acquire.lua").toURI()).getParent();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".lua")))
                    .containsExactlyInAnyOrderElementsOf(
                            Arrays.stream(LockScript.values()).map(LockScriptTest::fileName).toList());
        }
    }

    @ParameterizedTest
    @EnumSource
    void sha1IsThatOfTheFile(LockScript script) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-1").digest(file(script));

        assertThat(script.sha1()).isEqualTo(HexFormat.of().formatHex(digest)).matches("[0-9a-f]{40}");
    }

    @ParameterizedTest
    @EnumSource
    void sourceIsTheFileUnchanged(LockScript script) throws Exception {
        assertThat(script.source().getBytes(StandardCharsets.UTF_8)).isEqualTo(file(script));
    }

    /** A checkout that turns line ends into CR LF would change every SHA-1, and each build would load its own copy. */
    @ParameterizedTest
    @EnumSource
    void sourceIsPlainAsciiWithoutCarriageReturns(LockScript script) {
        assertThat(script.source()).endsWith("\n").doesNotContain("\r").doesNotContain("\t");
        assertThat(script.source().chars()).allMatch(c -> c == '\n' || c >= ' ' && c < 0x7f);
    }

    @Test
    void scriptsDiffer() {
        assertThat(Arrays.stream(LockScript.values()).map(LockScript::sha1)).doesNotHaveDuplicates();
    }

    /** A Cluster routes by the declared keys, and an undeclared one may live elsewhere. */
    @ParameterizedTest
    @EnumSource
    void everyKeyIsTheOneDeclared(LockScript script) {
        String code = code(script);

        assertThat(CALL.matcher(code).results().map(call -> call.group(2))).isNotEmpty().containsOnly("KEYS[1]");
        assertThat(occurrences(code, "redis\\.")).as("calls of another form")
                .isEqualTo(occurrences(code, CALL.pattern()));
        assertThat(occurrences(code, "KEYS")).as("other keys").isEqualTo(occurrences(code, "KEYS\\[1\\]"));
    }

    @ParameterizedTest
    @EnumSource
    void commandsAreKnown(LockScript script) {
        assertThat(CALL.matcher(code(script)).results().map(call -> call.group(1)))
                .containsExactlyElementsOf(COMMANDS.get(script));
    }

    @ParameterizedTest
    @EnumSource
    void argumentsAreTheValueAndTheExpiry(LockScript script) {
        List<String> expected = script == LockScript.RELEASE ? List.of("ARGV[1]") : List.of("ARGV[1]", "ARGV[2]");

        assertThat(Pattern.compile("ARGV\\S\\d+\\]").matcher(code(script)).results().map(MatchResult::group).distinct())
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    /** Redis refuses a script that sets a global, but only when that line runs. */
    @ParameterizedTest
    @EnumSource
    void noGlobalIsSet(LockScript script) {
        assertThat(code(script).lines()).noneMatch(line -> line.matches("\\s*\\w+\\s*=[^=].*"));
    }

    private static String code(LockScript script) {
        return COMMENT.matcher(script.source()).replaceAll("");
    }

    private static long occurrences(String code, String regex) {
        return Pattern.compile(regex).matcher(code).results().count();
    }

    private static String fileName(LockScript script) {
        return script.name().toLowerCase(Locale.ROOT) + ".lua";
    }

    private static byte[] file(LockScript script) throws Exception {
        try (InputStream in = LockScript.class.getResourceAsStream(fileName(script))) {
            return in.readAllBytes();
        }
    }
}
