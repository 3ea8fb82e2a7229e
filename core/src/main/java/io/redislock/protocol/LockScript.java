package io.redislock.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The Lua scripts. Each does one thing in one round trip, to one key and, where fencing tokens are concerned, its
 * companions, and answers an integer that one of the reply types of this package parses. The comments stand in the
 * {@code .lua} files.
 */
public enum LockScript {

    /** {@code KEYS[1]}, token, expiry in ms: takes the key if it is absent or already holds this token. */
    ACQUIRE,
    /** {@code KEYS[1]}, value, expiry in ms: takes the key if it is absent, whatever it holds otherwise. */
    TAKE,
    /** {@code KEYS[1]}, value: deletes the key if it holds this value. */
    RELEASE,
    /** {@code KEYS[1]}, value, expiry in ms: sets the expiry if the key holds this value. */
    EXTEND,
    /** {@code KEYS[1]}, value, expiry in ms: as {@link #EXTEND}, but never shortens. */
    PROLONG,
    /** {@code KEYS[1]}, its companion, token, expiry and retention in ms: as {@link #ACQUIRE}, with a fencing token. */
    ACQUIRE_FENCED,
    /** {@code KEYS[1]}, its companion, value, expiry and retention in ms, fencing token: as {@link #PROLONG}. */
    PROLONG_FENCED,
    /** {@code KEYS[1]}, its companions, fencing token, text: sets the key unless a greater fencing token has been. */
    SET_FENCED,
    /** {@code KEYS[1]}, its companions, fencing token: deletes the key unless a greater fencing token has been. */
    DELETE_FENCED;

    private final String source;
    private final String sha1;

    LockScript() {
        this.source = load(name().toLowerCase(Locale.ROOT) + ".lua");
        this.sha1 = sha1(source);
    }

    /** The text for EVAL. */
    public String source() {
        return source;
    }

    /** The SHA-1 of the text for EVALSHA, 40 hexadecimal digits. */
    public String sha1() {
        return sha1;
    }

    private static String load(String resource) {
        try (InputStream in = LockScript.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("The script " + resource + " is missing beside " + LockScript.class);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("The script " + resource + " cannot be read", unreadable);
        }
    }

    private static String sha1(String text) {
        try {
            return HexFormat.of().formatHex(
                    MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-1", impossible);
        }
    }
}
