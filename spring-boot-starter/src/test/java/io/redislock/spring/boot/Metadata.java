package io.redislock.spring.boot;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.jayway.jsonpath.JsonPath;

/** The metadata of properties that is in the jar, as editors read it. */
final class Metadata {

    private static final String FILE = "META-INF/spring-configuration-metadata.json";

    private Metadata() {
    }

    /** Every property by its name. Of all the files of this name on the classpath, the starter's own. */
    static Map<String, Map<String, Object>> properties() throws IOException {
        Map<String, Map<String, Object>> byName = new TreeMap<>();
        for (URL file : Collections.list(Metadata.class.getClassLoader().getResources(FILE))) {
            try (InputStream in = file.openStream()) {
                List<Map<String, Object>> properties = JsonPath.parse(in).read("$.properties");
                properties.stream().filter(property -> property.get("name").toString().contains("redislock"))
                        .forEach(property -> byName.put(property.get("name").toString(), property));
            }
        }
        return byName;
    }
}
