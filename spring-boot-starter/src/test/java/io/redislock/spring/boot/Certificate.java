package io.redislock.spring.boot;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.ThreadLocalRandom;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A certificate for 127.0.0.1 that vouches for itself, made by the JDK's keytool.
 *
 * @param pem the file with the certificate
 * @param key the file with its private key
 */
record Certificate(Path pem, Path key) {

    private static final String PASSWORD = "changeit";

    static Certificate selfSigned(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", "redis", "-keyalg", "EC", "-dname", "CN=redis", "-ext", "SAN=ip:127.0.0.1",
                "-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD)
                .redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes());
        assertThat(keytool.waitFor()).as(said).isZero();

        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return new Certificate(
                write(folder, "CERTIFICATE", keys.getCertificate("redis").getEncoded()),
                write(folder, "PRIVATE KEY", keys.getKey("redis", PASSWORD.toCharArray()).getEncoded()));
    }

    private static Path write(Path folder, String what, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(folder.resolve(what.replace(' ', '-') + ".pem"),
                "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
    }

    /** Below the ports of outgoing connections. */
    static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 20_000);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return probe.getLocalPort();
            } catch (java.net.BindException taken) {
                // another one then
            }
        }
    }
}
