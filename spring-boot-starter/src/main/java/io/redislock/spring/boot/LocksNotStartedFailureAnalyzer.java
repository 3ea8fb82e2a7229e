package io.redislock.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows the two sentences of a {@link LocksNotStartedException} instead of its stack trace. */
final class LocksNotStartedFailureAnalyzer extends AbstractFailureAnalyzer<LocksNotStartedException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LocksNotStartedException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
