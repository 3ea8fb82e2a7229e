package io.redislock.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Folders under {@code java.io.tmpdir} that only this user can write to.
 *
 * <p>The temporary folder belongs to everybody, so a folder with a well-known name may have been put there by somebody
 * else, who could then exchange a file between its check and its execution. Nobody can within a folder that this user
 * owns, that no one else may enter, and that is no link.
 */
final class OwnerOnlyFolder {

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> CREATE_OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(OWNER_ONLY);

    private OwnerOnlyFolder() {}

    /**
     * The folder with this name, shared by all JVMs of this user. Where something else has that name, a fresh folder
     * for this JVM alone, which goes away with it.
     */
    static Path shared(String name) throws IOException {
        Path folder = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath().resolve(name);
        try {
            Files.createDirectory(folder, CREATE_OWNER_ONLY);
        } catch (FileAlreadyExistsException usual) {
            if (!isOurs(folder)) {
                Path own = fresh(name + "-");
                Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(own), "redislock-own-folder"));
                return own;
            }
        }
        return folder;
    }

    /** A new empty folder. */
    static Path fresh(String prefix) throws IOException {
        return Files.createTempDirectory(prefix, CREATE_OWNER_ONLY);
    }

    /** Deletes a folder with all that is in it, as far as it can: what vanishes meanwhile is no trouble. */
    static void delete(Path folder) {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException leftBehind) {
            // A temporary folder that stays is no reason to fail a test, least of all one that has passed.
        }
    }

    private static boolean isOurs(Path folder) throws IOException {
        PosixFileAttributes found =
                Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return found.isDirectory()
                && OWNER_ONLY.containsAll(found.permissions())
                && found.owner().equals(thisUser());
    }

    // The property user.name is only a text; what the file system says of a file we make cannot be mistaken.
    private static UserPrincipal thisUser() throws IOException {
        Path probe = Files.createTempFile("redislock-who", null);
        try {
            return Files.getOwner(probe);
        } finally {
            Files.delete(probe);
        }
    }
}
