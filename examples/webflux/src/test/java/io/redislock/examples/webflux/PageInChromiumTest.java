package io.redislock.examples.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** The page in a real browser, on a Redis and two replicas that are processes, as the README's command starts them. */
class PageInChromiumTest {

    private ChromeDriver browser;
    private Launcher launcher;
    private List<Integer> ports;

    @BeforeEach
    void start() {
        Chromium chromium = Chromium.find();
        ports = FreePorts.two();
        launcher = new Launcher(ports, "--orders.expiry=3s", "--orders.pause=5s");
        launcher.ready().block(Duration.ofMinutes(2));
        browser = chromium.start();
    }

    @AfterEach
    void end() {
        if (browser != null) {
            browser.quit();
        }
        if (launcher != null) {
            launcher.close();
        }
    }

    @Test
    void showsAPauseATakeoverALossAndContention() {
        browser.get("http://localhost:" + ports.get(0) + "/");
        until("both replicas answer", () -> status("A").equals("Answers") && status("B").equals("Answers"));

        pauseTheHolder();
        contend();

        fitsAPhone();
        assertThat(complaints()).isEmpty();
    }

    /** Order 99 is A's, and B waits for it, when A is paused. The page was served by A, and goes on. */
    private void pauseTheHolder() {
        CompletableFuture<ResponseEntity<String>> first =
                post(ports.get(0), "/orders/99/process?takes=PT1M").toFuture();
        until("A has order 99", () -> heldBy("order:99").equals("A"));
        Disposable second = post(ports.get(1), "/orders/99/process?takes=PT1M&wait=PT1M").subscribe();
        until("B waits for it", () -> text("#order\\:99 .waiters").equals("B"));
        long token = token("order:99");
        assertThat(text("#order\\:99 .says")).isEqualTo("Held and renewed");
        assertThat(text("#order\\:99 .remaining")).matches("[0-3]\\.\\d s");

        assertThat(text("#pause")).isEqualTo("Pause replica A");
        browser.findElement(By.id("pause")).click();

        until("A is shown as paused", () -> status("A").matches("Paused, \\d s left"));
        assertThat(text(".replica[data-replica=A] .charging")).isEqualTo("Believes it charges");
        assertThat(browser.findElement(By.id("pause")).isEnabled()).isFalse();
        until("its lease is not renewed", () ->
                text("#order\\:99 .says").equals("Holder does not answer: not renewed"));
        until("B takes over", () -> heldBy("order:99").equals("B"));
        assertThat(status("A")).startsWith("Paused");
        assertThat(token("order:99")).isGreaterThan(token);

        until("A goes on", () -> status("A").equals("Answers"));
        until("A says that it has lost the lock", () -> timeline().contains("A order 99 Lost the lock: EXPIRED"));
        assertThat(first.join().getStatusCode().value()).isEqualTo(500);
        assertThat(first.join().getBody()).contains("lock-lost").contains("EXPIRED");

        second.dispose();
        until("the client of B has left", () -> text("#order\\:99 .says").equals("Free"));
    }

    /** Order 7 has one holder and three who wait, while orders 8 and 9 are nobody else's. */
    private void contend() {
        browser.findElement(By.id("contend")).click();

        until("order 7 is held, and waited for", () -> heldBy("order:7").matches("[AB]")
                && all("#order\\:7 .waiters .badge").size() == 3);
        until("somebody is told that it is busy", () -> !all(".answer[data-status='409']").isEmpty());
        assertThat(text(".answer[data-status='409'] .status")).matches("409, again in \\d+ s");
        until("A has order 8", () -> timeline().stream().anyMatch(line -> line.startsWith("A order 8 Holds it")));
        until("B has order 9", () -> timeline().stream().anyMatch(line -> line.startsWith("B order 9 Holds it")));
        until("work is done", () -> !all(".answer[data-status='200']").isEmpty());
        assertThat(all(".answer[data-status='failed']")).isEmpty();
    }

    /** Nothing sticks out to the right at 390 pixels. */
    private void fitsAPhone() {
        browser.executeCdpCommand("Emulation.setDeviceMetricsOverride",
                Map.of("width", 390, "height", 844, "deviceScaleFactor", 1, "mobile", true));
        assertThat(browser.executeScript("return document.documentElement.scrollWidth")).isEqualTo(390L);
    }

    /** What the browser complains of, but for the answers 409 and 500 that the page asked for. */
    private List<String> complaints() {
        return browser.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .filter(message -> !message.matches(".*/process\\?.* responded with a status of (409|500) .*"))
                .toList();
    }

    /** The letter of whoever holds a lock, as shown; empty when it is free. */
    private String heldBy(String key) {
        return text("#" + key.replace(":", "\\:") + " .holder .badge");
    }

    private long token(String key) {
        return Long.parseLong(text("#" + key.replace(":", "\\:") + " .token"));
    }

    private String status(String replica) {
        return text(".replica[data-replica=" + replica + "] .status");
    }

    /** Who, what and what happened, line by line, the latest first. */
    private List<String> timeline() {
        return String.valueOf(browser.executeScript("""
                return [...document.querySelectorAll('.event')]
                    .map(line => [...line.querySelectorAll('.badge, b, .text')].map(part => part.textContent).join(' '))
                    .join('\\n')""")).lines().toList();
    }

    private static Mono<ResponseEntity<String>> post(int port, String pathAndQuery) {
        return WebClient.create("http://127.0.0.1:" + port).post().uri(pathAndQuery)
                .exchangeToMono(answer -> answer.toEntity(String.class));
    }

    private List<WebElement> all(String selector) {
        return browser.findElements(By.cssSelector(selector));
    }

    /** The text of the one element, in one step: an element found before may have been replaced. */
    private String text(String selector) {
        return String.valueOf(browser.executeScript(
                "return (document.querySelector(arguments[0])?.textContent ?? '').trim()", selector));
    }

    private static void until(String what, BooleanSupplier condition) {
        Await.until(what, condition);
    }
}
