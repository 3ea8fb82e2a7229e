package io.redislock.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisBinaryTest {

    /** Prints where the program is, and goes. */
    static final class Locate {
        public static void main(String... args) {
            System.out.println(RedisBinary.locate());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, linux-amd64",
        "Linux, x86_64, linux-amd64",
        "Linux, aarch64, linux-arm64",
        "Linux, i386, linux-386",
        "Mac OS X, x86_64, darwin-amd64",
        "Mac OS X, aarch64, darwin-arm64"
    })
    void platformsOfTheJarHaveAProgram(String os, String arch, String platform) {
        String resource = RedisBinary.resourceFor(os, arch);
        assertThat(resource).isEqualTo("redis-server-7.0.15-" + platform);
        assertThat(RedisBinary.class.getResource("/" + resource)).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"Windows 11, amd64", "Linux, riscv64", "Mac OS X, i386"})
    void otherPlatformsAreNamedTogetherWithTheWayOut(String os, String arch) {
        assertThatThrownBy(() -> RedisBinary.resourceFor(os, arch))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(os, arch, "Docker", "-Dredislock.redis=redis://");
    }

    @Test
    void programIsExecutableByItsOwnerOnly() throws IOException {
        Path program = RedisBinary.locate();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(program))).isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(program.getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void severalJvmsMayUnpackAtOnce(@TempDir Path tmpdir) throws Exception {
        List<ChildJvm> jvms = new ArrayList<>();
        Set<String> programs = new HashSet<>();
        try {
            for (int i = 0; i < 3; i++) {
                jvms.add(ChildJvm.start(tmpdir, Locate.class));
            }
            for (ChildJvm jvm : jvms) {
                programs.add(jvm.line());
                assertThat(jvm.exitValue()).isZero();
            }
        } finally {
            jvms.forEach(ChildJvm::close);
        }
        Path program = Path.of(programs.iterator().next());
        assertThat(programs).hasSize(1);
        assertThat(program).exists().hasSameBinaryContentAs(RedisBinary.locate());
        assertThat(files(program.getParent())).containsExactly(program);
    }

    @Test
    void changedProgramIsReplaced(@TempDir Path tmpdir) throws Exception {
        Path folder = Files.createDirectory(tmpdir.resolve(RedisBinary.locate().getParent().getFileName()),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path program = Files.copy(RedisBinary.locate(), folder.resolve("redis-server"));
        byte[] bytes = Files.readAllBytes(program);
        bytes[bytes.length / 2] ^= 1;
        Files.write(program, bytes);

        assertThat(locateIn(tmpdir)).isEqualTo(program);
        assertThat(program).hasSameBinaryContentAs(RedisBinary.locate());
    }

    @Test
    void folderThatOthersMayWriteToIsNotUsed(@TempDir Path tmpdir) throws Exception {
        Path folder = Files.createDirectory(tmpdir.resolve(RedisBinary.locate().getParent().getFileName()));
        Path planted = Files.writeString(folder.resolve("redis-server"), "#!/bin/sh\n");
        Files.setPosixFilePermissions(planted, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertAnotherIsUsed(tmpdir, planted);
    }

    @Test
    void linkInPlaceOfTheFolderIsNotFollowed(@TempDir Path tmpdir, @TempDir Path elsewhere) throws Exception {
        Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwx------"));
        Path link = tmpdir.resolve(RedisBinary.locate().getParent().getFileName());
        Files.createSymbolicLink(link, elsewhere);

        assertAnotherIsUsed(tmpdir, link.resolve("redis-server"));
        assertThat(files(elsewhere)).isEmpty();
    }

    private static void assertAnotherIsUsed(Path tmpdir, Path planted) throws Exception {
        Path used = locateIn(tmpdir);
        assertThat(used).isNotEqualTo(planted);
        // That one was for the one JVM, and went away with it.
        assertThat(used.getParent()).doesNotExist();
        assertThat(files(tmpdir)).containsExactly(planted.getParent());
    }

    private static Path locateIn(Path tmpdir) throws Exception {
        try (ChildJvm jvm = ChildJvm.start(tmpdir, Locate.class)) {
            Path program = Path.of(jvm.line());
            assertThat(jvm.exitValue()).isZero();
            return program;
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> paths = Files.list(folder)) {
            return paths.filter(path -> !path.getFileName().toString().startsWith("hsperfdata")).toList();
        }
    }
}
