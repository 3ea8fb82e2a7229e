package io.redislock.reactor;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** The class path of the tests less a library, as those have it who do not use what is optional; to run programs on. */
final class ClassPathWithout implements AutoCloseable {

    private final ClassLoader ordinary = Thread.currentThread().getContextClassLoader();
    private final URLClassLoader loader;

    /**
     * @param groupFolder how the library's group shows in the paths of its jars
     */
    ClassPathWithout(String groupFolder) {
        URL[] entries = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.replace('\\', '/').contains(groupFolder))
                .map(ClassPathWithout::url)
                .toArray(URL[]::new);
        loader = new URLClassLoader(entries, ClassLoader.getPlatformClassLoader());
        // Where Lettuce looks classes up by name.
        Thread.currentThread().setContextClassLoader(loader);
    }

    Class<?> load(String className) throws ClassNotFoundException {
        return loader.loadClass(className);
    }

    /** This program as it is in there: only types of the JDK pass through. */
    @SuppressWarnings("unchecked")
    UnaryOperator<String> program(Class<? extends UnaryOperator<String>> program) throws ReflectiveOperationException {
        Object made = load(program.getName()).getDeclaredConstructor().newInstance();
        if (program.isInstance(made)) {
            throw new IllegalStateException(program + " comes from outside");
        }
        return (UnaryOperator<String>) made;
    }

    @Override
    public void close() throws IOException {
        Thread.currentThread().setContextClassLoader(ordinary);
        loader.close();
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
