package io.redislock.examples.webflux;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/**
 * The browser of this machine, without a window. Where there is none, the test that asks for it is skipped, unless the
 * environment variable {@code REDISLOCK_CHROMIUM} is {@code required}: then it fails.
 */
final class Chromium {

    private Chromium() {
    }

    static ChromeDriver start() {
        Optional<Path> browser = program("chromium", "chromium-browser", "google-chrome");
        Optional<Path> driver = program("chromedriver");
        if (browser.isEmpty() || driver.isEmpty()) {
            String missing = "No Chromium with its chromedriver on the path (Debian: chromium, chromium-driver)";
            if ("required".equals(System.getenv("REDISLOCK_CHROMIUM"))) {
                throw new AssertionError(missing);
            }
            Assumptions.abort(missing + ": the page is not tested");
        }
        // Both are named, so that Selenium has nothing to look for or to download.
        return new ChromeDriver(
                new ChromeDriverService.Builder().usingDriverExecutable(driver.orElseThrow().toFile()).build(),
                new ChromeOptions()
                        .setBinary(browser.orElseThrow().toFile())
                        // The sandbox does not work for root, and the only pages opened are ours.
                        .addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
                                "--window-size=1280,900"));
    }

    private static Optional<Path> program(String... names) {
        return Stream.of(names)
                .flatMap(name -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
