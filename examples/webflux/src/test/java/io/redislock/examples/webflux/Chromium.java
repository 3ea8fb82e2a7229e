package io.redislock.examples.webflux;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.PageLoadStrategy;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** The browser of this machine, without a window. */
final class Chromium {

    private final Path browser;
    private final Path driver;

    private Chromium(Path browser, Path driver) {
        this.browser = browser;
        this.driver = driver;
    }

    /**
     * Looks for it. Where there is none, the test that asks is skipped, unless the environment variable
     * {@code REDISLOCK_CHROMIUM} is {@code required}: then it fails.
     */
    static Chromium find() {
        Optional<Path> browser = program("chromium", "chromium-browser", "google-chrome");
        Optional<Path> driver = program("chromedriver");
        if (browser.isEmpty() || driver.isEmpty()) {
            String missing = "No Chromium with its chromedriver on the path (Debian: chromium, chromium-driver)";
            if ("required".equals(System.getenv("REDISLOCK_CHROMIUM"))) {
                throw new AssertionError(missing);
            }
            Assumptions.abort(missing + ": the page is not tested");
        }
        return new Chromium(browser.orElseThrow(), driver.orElseThrow());
    }

    ChromeDriver start() {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(browser.toFile());
        // The sandbox does not work for root, and the only pages opened are ours.
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                "--window-size=1280,900");
        // The test waits for what it wants to see, and not for the end of loading before.
        options.setPageLoadStrategy(PageLoadStrategy.NONE);
        // The driver is named too, so that Selenium has nothing to look for or to download.
        return new ChromeDriver(
                new ChromeDriverService.Builder().usingDriverExecutable(driver.toFile()).build(), options);
    }

    private static Optional<Path> program(String... names) {
        return Stream.of(names)
                .flatMap(name -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
