package io.redislock.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of a run: where it was measured, then one object per value.
 *
 * @param environment on what
 * @param rows with their ratios
 */
record ResultFile(Environment environment, List<Row> rows) {

    private static final JsonMapper JSON = new JsonMapper();

    void write(Path file) {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Files.writeString(file, toJson() + "\n");
        } catch (IOException unwritable) {
            throw new UncheckedIOException("Could not write " + file, unwritable);
        }
    }

    static ResultFile read(Path file) {
        try {
            return fromJson(Files.readString(file));
        } catch (NoSuchFileException missing) {
            throw new UsageException("there is no file " + file);
        } catch (IllegalArgumentException | JsonProcessingException other) {
            throw new UsageException(file + " is no result of a suite: " + other.getMessage());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("Could not read " + file, unreadable);
        }
    }

    String toJson() throws JsonProcessingException {
        ObjectNode root = JSON.createObjectNode();
        ObjectNode where = root.putObject("environment");
        where.put("redis", environment.redis());
        where.put("jvm", environment.jvm());
        where.put("os", environment.os());
        where.put("cpus", environment.cpus());
        ObjectNode versions = where.putObject("versions");
        environment.versions().forEach(versions::put);
        rows.forEach(row -> root.withArrayProperty("rows").add(toNode(row)));
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root);
    }

    private static ObjectNode toNode(Row row) {
        ObjectNode node = JSON.createObjectNode();
        node.put("suite", row.suite());
        node.put("measure", row.measure());
        node.put("library", row.library());
        putUnlessNull(node, "inFlight", row.setting().inFlight());
        putUnlessNull(node, "waiters", row.setting().waiters());
        putUnlessNull(node, "keys", row.setting().keys());
        putUnlessNull(node, "process", row.setting().process());
        node.put("value", rounded(row.value()));
        node.put("unit", row.unit());
        putUnlessNull(node, "vsLettuce", row.vsLettuce());
        putUnlessNull(node, "vsRedisson", row.vsRedisson());
        return node;
    }

    private static void putUnlessNull(ObjectNode node, String name, @Nullable Number value) {
        if (value instanceof Integer whole) {
            node.put(name, whole);
        } else if (value != null) {
            node.put(name, rounded(value.doubleValue()));
        }
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }

    static ResultFile fromJson(String text) throws JsonProcessingException {
        JsonNode root = JSON.readTree(text);
        JsonNode where = root.required("environment");
        Map<String, String> versions = new LinkedHashMap<>();
        where.required("versions").properties().forEach(each -> versions.put(each.getKey(), each.getValue().asText()));
        List<Row> rows = new ArrayList<>();
        root.required("rows").forEach(node -> rows.add(toRow(node)));
        return new ResultFile(
                new Environment(
                        where.required("redis").asText(), where.required("jvm").asText(),
                        where.required("os").asText(), where.required("cpus").asInt(), versions),
                rows);
    }

    private static Row toRow(JsonNode node) {
        return new Row(
                node.required("suite").asText(), node.required("measure").asText(), node.required("library").asText(),
                new Setting(whole(node, "inFlight"), whole(node, "waiters"), whole(node, "keys"),
                        whole(node, "process")),
                node.required("value").asDouble(), node.required("unit").asText(),
                fraction(node, "vsLettuce"), fraction(node, "vsRedisson"));
    }

    private static @Nullable Integer whole(JsonNode node, String name) {
        return node.has(name) ? node.get(name).asInt() : null;
    }

    private static @Nullable Double fraction(JsonNode node, String name) {
        return node.has(name) ? node.get(name).asDouble() : null;
    }
}
