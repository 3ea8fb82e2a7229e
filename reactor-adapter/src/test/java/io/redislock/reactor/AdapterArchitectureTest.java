package io.redislock.reactor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.redislock.reactor.micrometer.MicrometerLockListener;
import io.redislock.reactor.store.LockStore;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Micrometer and Kotlin are optional, so nothing but a package of its own refers to the one, and no Java to the other.
 */
class AdapterArchitectureTest {

    private static final String PACKAGE = "io/redislock/reactor/micrometer";
    /** As they stand in a constant pool: type names with slashes, and with dots where a class is looked up by name. */
    private static final List<String> FORBIDDEN = List.of("io/micrometer", "io.micrometer", PACKAGE,
            "io.redislock.reactor.micrometer");

    @Test
    void nothingOutsideThePackageOfTheMetricsRefersToItOrToMicrometer() {
        List<Path> others = mainClasses().stream().filter(path -> !path.toString().replace('\\', '/').contains(PACKAGE))
                .toList();

        assertThat(others).extracting(path -> path.getFileName().toString())
                .as("what was scanned").contains("LocksBuilder.class", "SafeListener.class", "LettuceLockStore.class");
        assertThat(others).allSatisfy(path -> assertThat(constants(path)).as("%s", path).doesNotContain(FORBIDDEN));
    }

    @Test
    void nothingThatIsWrittenInJavaRefersToKotlin() {
        List<Path> kotlin = kotlinClasses();
        List<Path> java = mainClasses().stream().filter(path -> !kotlin.contains(path)).toList();

        assertThat(java).extracting(path -> path.getFileName().toString())
                .as("what was scanned").contains("LocksBuilder.class", "StoreRedisLocks.class", "LeasedLock.class");
        assertThat(kotlin).isNotEmpty().allSatisfy(path -> assertThat(constants(path)).contains("kotlin"));
        assertThat(java).allSatisfy(path -> assertThat(constants(path)).as("%s", path).doesNotContain("kotlin"));
    }

    /** They drop values, and their first use blocks: see {@code OwnedValue.kt}. What launches and flows is welcome. */
    @Test
    void awaitsOfKotlinxAreNotUsed() {
        assertThat(kotlinClasses()).isNotEmpty().allSatisfy(path -> assertThat(constants(path)).as("%s", path)
                .doesNotContain("kotlinx/coroutines/reactor/MonoKt", "kotlinx/coroutines/reactive/"));
    }

    private static List<Path> kotlinClasses() {
        return mainClasses().stream()
                .filter(path -> path.getFileName().toString()
                        .matches("(ReactiveRedisLocksExtensions|RedisLockExtensions|LockedBlock|OwnedValue)Kt.*|Owning.*"))
                .toList();
    }

    /** This class names them all, so a scan that saw nothing here would see nothing anywhere. */
    @Test
    void scanFindsWhatItLooksFor() {
        Path self = root(AdapterArchitectureTest.class).resolve("io/redislock/reactor/AdapterArchitectureTest.class");

        assertThat(constants(self)).contains(FORBIDDEN);
        assertThat(mainClasses()).filteredOn(path -> path.endsWith(PACKAGE + "/MicrometerLockListener.class"))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(classes = {ReactiveRedisLocks.class, LockStore.class, MicrometerLockListener.class})
    void packageIsNullMarked(Class<?> member) {
        assertThat(member.getPackage().isAnnotationPresent(NullMarked.class)).isTrue();
    }

    private static List<Path> mainClasses() {
        try (Stream<Path> files = Files.walk(root(ReactiveRedisLocks.class))) {
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
