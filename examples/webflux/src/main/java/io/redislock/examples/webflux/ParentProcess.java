package io.redislock.examples.webflux;

/** Whoever started this process: Maven or a shell for the {@link Launcher}, the launcher for a replica. */
final class ParentProcess {

    private ParentProcess() {
    }

    /** Ends this process, with its shutdown hooks, when the parent has ended, in whatever way. */
    static void endWithIt() {
        ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().thenRun(() -> System.exit(0)));
    }
}
