package io.redislock.examples.webflux;

import java.net.URI;
import java.time.Duration;

import io.redislock.LockLostException;
import io.redislock.LockNotAcquiredException;
import io.redislock.LockUnavailableException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * What is answered when work did not run under its lock from beginning to end, as {@code application/problem+json}.
 *
 * <p>Busy and unavailable say that it did not begin, so the request may be repeated; that holds when the outcome of an
 * acquisition is unknown too, which is then cleaned up. A lost lock is a 500, and none of the statuses that gateways
 * repeat by themselves: the work had begun, and what it sent may have arrived.
 */
@RestControllerAdvice
class LockProblems {

    private static final Duration UNTIL_REDIS_IS_BACK = Duration.ofSeconds(2);

    // snippet: webflux-problems
    @ExceptionHandler
    ResponseEntity<ProblemDetail> busy(LockNotAcquiredException busy) {
        Duration untilFree = busy.holderRemaining().orElse(Duration.ZERO); // or sooner; or later, if it is renewed
        return retryAfter(untilFree, problem(HttpStatus.CONFLICT, "busy",
                "Another request is processing this order."));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> unavailable(LockUnavailableException down) {
        return retryAfter(UNTIL_REDIS_IS_BACK, problem(HttpStatus.SERVICE_UNAVAILABLE, "unavailable",
                "Redis cannot be asked for the lock. Nothing was done."));
    }

    @ExceptionHandler
    ProblemDetail lost(LockLostException lost) {
        ProblemDetail problem = problem(HttpStatus.INTERNAL_SERVER_ERROR, "lock-lost",
                "The lock was lost while the work ran. Find out what was done before you try again.");
        problem.setProperty("reason", lost.reason());
        return problem;
    }
    // end

    private static ResponseEntity<ProblemDetail> retryAfter(Duration wait, ProblemDetail problem) {
        return ResponseEntity.of(problem)
                .header(HttpHeaders.RETRY_AFTER, Long.toString(RetryAfter.seconds(wait)))
                .build();
    }

    private static ProblemDetail problem(HttpStatus status, String type, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setType(URI.create("urn:example:orders:" + type));
        return problem;
    }
}
