package io.redislock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.redislock.lease.LeaseClock;
import io.redislock.protocol.LockKey;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Core decides and knows the protocol. Execution, logging and sockets are the adapter's. */
class CoreArchitectureTest {

    /** As they stand in a constant pool: type names with slashes, and with dots where a class is looked up by name. */
    private static final List<String> FORBIDDEN = List.of("reactor/", "reactor.core", "io/lettuce", "io.lettuce",
            "io/netty", "io.netty", "org/slf4j", "org.slf4j", "java/net/", "java/nio/channels/", "java/nio/file/");

    @Test
    void mainClassesReferToNoClientNoReactorNoLoggerAndNoIo() {
        List<Path> classes = mainClasses();

        assertThat(classes).extracting(path -> path.getFileName().toString())
                .as("what was scanned").contains("LockOptions.class", "Validity.class", "LockScript.class");
        assertThat(classes).allSatisfy(path -> assertThat(constants(path)).as("%s", path).doesNotContain(FORBIDDEN));
    }

    /** This class names them all, so a scan that saw nothing here would see nothing anywhere. */
    @Test
    void scanFindsWhatItLooksFor() {
        Path self = root(CoreArchitectureTest.class).resolve("io/redislock/CoreArchitectureTest.class");

        assertThat(constants(self)).contains(FORBIDDEN);
    }

    @ParameterizedTest
    @ValueSource(classes = {LockOptions.class, LeaseClock.class, LockKey.class})
    void packageIsNullMarked(Class<?> member) {
        assertThat(member.getPackage().isAnnotationPresent(NullMarked.class)).isTrue();
    }

    private static List<Path> mainClasses() {
        try (Stream<Path> files = Files.walk(root(LockOptions.class))) {
            return files.filter(file -> file.toString().endsWith(".class")).toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** ISO 8859-1 maps every byte to one character, so a class file can be searched like text. */
    private static String constants(Path classFile) {
        try {
            return Files.readString(classFile, StandardCharsets.ISO_8859_1);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Path root(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
