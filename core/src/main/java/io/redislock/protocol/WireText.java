package io.redislock.protocol;

import java.util.Objects;

/**
 * Text that has exactly one encoding in UTF-8. An unpaired surrogate has none and would be sent as {@code ?}: two keys,
 * or two owners, would become one.
 */
public final class WireText {

    private static final int SHOWN = 64;

    private WireText() {
    }

    /**
     * Refuses {@code null} and unpaired surrogates.
     *
     * @param argument the caller's name for the text, for the message
     * @return the same text
     */
    public static String requireEncodableOrEmpty(String argument, String text) {
        if (!Objects.requireNonNull(text, argument).isEmpty()) {
            requireEncodable(argument, text);
        }
        return text;
    }

    /**
     * Refuses {@code null}, empty and unpaired surrogates.
     *
     * @param argument the caller's name for the text, for the message
     * @return the length in UTF-8 bytes
     */
    static long requireEncodable(String argument, String text) {
        Objects.requireNonNull(text, argument);
        if (text.isEmpty()) {
            throw new IllegalArgumentException(argument + " must not be empty: \"\"");
        }
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes += 1;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(c)) {
                bytes += 3;
            } else if (Character.isHighSurrogate(c) && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                throw new IllegalArgumentException(argument + " has an unpaired surrogate at index " + i + ": "
                        + shown(text));
            }
        }
        return bytes;
    }

    /** The text in quotes, cut, and with what cannot be seen or would end a line escaped: for a message. */
    public static String shown(String text) {
        StringBuilder out = new StringBuilder("\"");
        int end = text.offsetByCodePoints(0, Math.min(SHOWN, text.codePointCount(0, text.length())));
        text.substring(0, end).codePoints().forEach(codePoint -> {
            if (codePoint == '"' || codePoint == '\\') {
                out.append('\\').appendCodePoint(codePoint);
            } else if (isVisible(codePoint)) {
                out.appendCodePoint(codePoint);
            } else {
                out.append(String.format("\\u%04x", codePoint));
            }
        });
        return out.append(end < text.length() ? "…\"" : "\"").toString();
    }

    private static boolean isVisible(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE, Character.UNASSIGNED, Character.PRIVATE_USE -> false;
            default -> true;
        };
    }
}
