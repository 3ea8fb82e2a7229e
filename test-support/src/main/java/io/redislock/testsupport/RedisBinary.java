package io.redislock.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The {@code redis-server} program of this platform, taken out of the jar of {@code org.signal:embedded-redis}.
 *
 * <p>It is unpacked once per user and machine, into a folder only this user can write to and whose name holds the
 * SHA-256 of the program. The file moves there atomically, so several JVMs may unpack at once. Each JVM reads the
 * whole file and compares its SHA-256 before it runs it: a half-written or changed file is replaced.
 */
final class RedisBinary {

    static final String VERSION = "7.0.15";

    private static @Nullable Path unpacked;

    private RedisBinary() {}

    /**
     * The program, ready to run.
     *
     * @throws IllegalStateException when there is none for this platform, or it cannot be unpacked
     */
    static synchronized Path locate() {
        Path known = unpacked;
        // A cleaner of old temporary files may have taken it away since.
        if (known != null && Files.isExecutable(known)) {
            return known;
        }
        try {
            Path program = unpack(resourceFor(System.getProperty("os.name"), System.getProperty("os.arch")));
            unpacked = program;
            return program;
        } catch (IOException e) {
            throw new UncheckedIOException("Could not unpack redis-server to java.io.tmpdir", e);
        }
    }

    /** The name the program for an operating system and processor has in the jar. */
    static String resourceFor(String osName, String osArch) {
        String os = osName.toLowerCase(Locale.ROOT);
        String system = os.startsWith("linux") ? "linux" : os.startsWith("mac") ? "darwin" : "none";
        String processor = switch (osArch.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> "amd64";
            case "aarch64", "arm64" -> "arm64";
            case "x86", "i386", "i486", "i586", "i686" -> "386";
            default -> "none";
        };
        String platform = system + "-" + processor;
        return switch (platform) {
            case "linux-amd64", "linux-arm64", "linux-386", "darwin-amd64", "darwin-arm64" ->
                "redis-server-" + VERSION + "-" + platform;
            default -> throw new IllegalStateException("There is no embedded redis-server for " + osName
                    + " on " + osArch + ". Start Docker, or name a server with -D" + RedisChoice.PROPERTY
                    + "=redis://host:port");
        };
    }

    private static Path unpack(String resource) throws IOException {
        byte[] program = read(resource);
        String sha256 = sha256(program);
        String user = System.getProperty("user.name").replaceAll("[^A-Za-z0-9_-]", "_");
        Path folder = OwnerOnlyFolder.shared("redislock-" + user + "-" + resource + "-" + sha256);
        Path file = folder.resolve("redis-server");
        if (Files.isExecutable(file) && Files.size(file) == program.length
                && sha256(Files.readAllBytes(file)).equals(sha256)) {
            return file;
        }
        Path part = Files.createTempFile(folder, "redis-server", ".part");
        try {
            Files.write(part, program);
            Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rwx------"));
            // Replacing is fine for servers that run from the old file: they keep it until they end.
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
        return file;
    }

    private static byte[] read(String resource) throws IOException {
        try (InputStream in = RedisBinary.class.getResourceAsStream("/" + resource)) {
            if (in == null) {
                throw new IllegalStateException(
                        resource + " is not on the classpath; it comes with org.signal:embedded-redis:0.9.1");
            }
            return in.readAllBytes();
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }
}
