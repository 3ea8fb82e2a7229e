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
import java.util.stream.IntStream;
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
            LockScript.PROLONG, List.of("GET", "PTTL", "PEXPIRE", "PTTL"),
            LockScript.ACQUIRE_FENCED, List.of("GET", "PTTL", "GET", "TIME", "PTTL", "SET", "SET", "PTTL",
                    "PEXPIRE", "PTTL", "PEXPIRE"),
            LockScript.PROLONG_FENCED, List.of("GET", "PTTL", "PEXPIRE", "PTTL", "GET", "SET", "PTTL",
                    "PEXPIRE"),
            LockScript.SET_FENCED, List.of("EXISTS", "GET", "SET", "SET"),
            LockScript.DELETE_FENCED, List.of("EXISTS", "GET", "SET", "DEL"));

    /** How many arguments beside the keys. */
    private static final Map<LockScript, Integer> ARGUMENTS = Map.of(
            LockScript.ACQUIRE, 2,
            LockScript.TAKE, 2,
            LockScript.RELEASE, 1,
            LockScript.EXTEND, 2,
            LockScript.PROLONG, 2,
            LockScript.ACQUIRE_FENCED, 3,
            LockScript.PROLONG_FENCED, 4,
            LockScript.SET_FENCED, 2,
            LockScript.DELETE_FENCED, 1);

    /** How many keys, where it is not one. */
    private static final Map<LockScript, Integer> KEYS = Map.of(
            LockScript.ACQUIRE_FENCED, 2,
            LockScript.PROLONG_FENCED, 2,
            LockScript.SET_FENCED, 3,
            LockScript.DELETE_FENCED, 3);

    private static final Pattern CALL = Pattern.compile("redis\\.p?call\\('([A-Z]+)'(?:, ([^,)]+))?");
    private static final Pattern ASSIGNMENT = Pattern.compile("^\\s*(\\w+)\\s*=[^=]", Pattern.MULTILINE);
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
    void everyKeyIsOneDeclared(LockScript script) {
        String code = code(script);
        String[] declared = IntStream.rangeClosed(1, KEYS.getOrDefault(script, 1))
                .mapToObj(number -> "KEYS[" + number + ']').toArray(String[]::new);

        assertThat(CALL.matcher(code).results().filter(call -> !call.group(1).equals("TIME"))
                .map(call -> call.group(2))).isNotEmpty().containsOnly(declared);
        assertThat(occurrences(code, "redis\\.(?!error_reply)")).as("calls of another form")
                .isEqualTo(occurrences(code, CALL.pattern()));
        assertThat(Pattern.compile("KEYS.{3}").matcher(code).results().map(MatchResult::group))
                .as("other keys").containsOnly(declared);
    }

    @ParameterizedTest
    @EnumSource
    void commandsAreKnown(LockScript script) {
        assertThat(CALL.matcher(code(script)).results().map(call -> call.group(1)))
                .containsExactlyElementsOf(COMMANDS.get(script));
    }

    @ParameterizedTest
    @EnumSource
    void argumentsAreThoseDocumented(LockScript script) {
        List<String> expected = IntStream.rangeClosed(1, ARGUMENTS.get(script))
                .mapToObj(number -> "ARGV[" + number + ']').toList();

        assertThat(Pattern.compile("ARGV\\S\\d+\\]").matcher(code(script)).results().map(MatchResult::group).distinct())
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    /**
     * A write forgets who has read a key, so what leaves the lock's key held must read it after the last write to it.
     */
    @ParameterizedTest
    @EnumSource(names = {"ACQUIRE", "TAKE", "EXTEND", "PROLONG", "ACQUIRE_FENCED", "PROLONG_FENCED"})
    void lastCallOnTheLocksKeyIsARead(LockScript script) {
        List<String> calls = CALL.matcher(code(script)).results()
                .filter(call -> "KEYS[1]".equals(call.group(2))).map(call -> call.group(1)).toList();

        assertThat(calls.get(calls.size() - 1)).isIn("GET", "PTTL");
    }

    /** And what was read of its companion is to be forgotten. */
    @ParameterizedTest
    @EnumSource(names = {"ACQUIRE_FENCED", "PROLONG_FENCED"})
    void lastCallOfAllWritesTheCompanion(LockScript script) {
        List<MatchResult> calls = CALL.matcher(code(script)).results().toList();
        MatchResult last = calls.get(calls.size() - 1);

        assertThat(last.group(1)).isEqualTo("PEXPIRE");
        assertThat(last.group(2)).isEqualTo("KEYS[2]");
    }

    /** Should the write fail, older tokens are refused all the same. */
    @ParameterizedTest
    @EnumSource(names = {"SET_FENCED", "DELETE_FENCED"})
    void acceptedTokenIsKeptBeforeTheWrite(LockScript script) {
        assertThat(CALL.matcher(code(script)).results()
                .filter(call -> List.of("SET", "DEL").contains(call.group(1))).map(call -> call.group(2)))
                .containsExactly("KEYS[2]", "KEYS[1]");
    }

    /** Redis refuses a script that sets a global, but only when that line runs. */
    @ParameterizedTest
    @EnumSource
    void noGlobalIsSet(LockScript script) {
        String code = code(script);

        assertThat(ASSIGNMENT.matcher(code).results().map(assigned -> assigned.group(1)))
                .allMatch(name -> code.contains("local " + name + " ="));
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
